import { act } from "react";
import { expect, test, vi } from "vitest";
import { loadable, useLoadable, useLoadedPart } from "@/components/ui/loadable";
import { isDialogOpen } from "@/components/ui/shortcuts";
import { makeGate } from "@/tests/gate";
import { renderHook } from "@/tests/render-hook";

const Part = () => null;

/** A source whose code arrives, or cannot be loaded, once the gate is open. */
function slowSource({ fails }: { fails: boolean }) {
  const gate = makeGate();
  const source = loadable(async () => {
    await gate.opened;
    if (fails) throw new Error("The network is down");
    return Part;
  });
  return { source, arrive: () => act(async () => gate.open()) };
}

test("the page's shortcuts do nothing while a requested dialog is loading", async () => {
  const { source, arrive } = slowSource({ fails: false });
  const hook = await renderHook(() => [useLoadable(source)]);
  expect(isDialogOpen()).toBe(true);
  await arrive();
  expect(hook.current).toEqual([Part]);
  expect(isDialogOpen()).toBe(false);
  await hook.unmount();
});

test("a dialog that cannot be loaded is reported, and the page's shortcuts work again", async () => {
  const { source, arrive } = slowSource({ fails: true });
  const onFail = vi.fn();
  const hook = await renderHook(() => [useLoadable(source, true, onFail)]);
  await arrive();
  await vi.waitFor(() => expect(onFail).toHaveBeenCalledOnce());
  expect(isDialogOpen()).toBe(false);
  await hook.unmount();
});

test("the page's shortcuts work while a part of the page is loading, and if it cannot be loaded", async () => {
  const { source, arrive } = slowSource({ fails: true });
  const hook = await renderHook(() => [useLoadedPart(source, true)]);
  expect(isDialogOpen()).toBe(false);
  await arrive();
  expect(hook.current).toEqual([null]);
  expect(isDialogOpen()).toBe(false);
  await hook.unmount();
});
