import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { useAwaitedDialog } from "./shortcuts";
import { whenUsed } from "./when-used";

type Loadable<Props> = { known: ComponentType<Props> | null; load: () => Promise<ComponentType<Props>> };

/** A component whose code is loaded when the page is first used, at the latest when it is shown (`useLoadable`). */
export function loadable<Props>(load: () => Promise<ComponentType<Props>>): Loadable<Props> {
  const source: Loadable<Props> = {
    known: null,
    async load() {
      source.known ??= await load();
      return source.known;
    },
  };
  whenUsed(source.load);
  return source;
}

/**
 * Returns the component once it is loaded; it may never be loaded unless it is `wanted`. Suspense would wait another
 * 300 ms. `onFail` is called if the code cannot be loaded, so that nothing keeps waiting for it. While it is wanted and
 * loading, the page's shortcuts do nothing, as behind the dialog that it will be.
 */
export function useLoadable<Props>(
  source: Loadable<Props>,
  wanted = true,
  onFail?: () => void,
): ComponentType<Props> | null {
  const { Component, isFailed } = useSource(source, wanted, onFail);
  useAwaitedDialog(wanted && !Component && !isFailed);
  return Component;
}

/** Returns a component that is no dialog once it is loaded. Until then the page works without it. */
export const useLoadedPart = <Props>(source: Loadable<Props>, wanted: boolean): ComponentType<Props> | null =>
  useSource(source, wanted).Component;

function useSource<Props>(source: Loadable<Props>, wanted: boolean, onFail?: () => void) {
  const [Component, setComponent] = useState(() => source.known);
  const [isFailed, setFailed] = useState(false);
  const fail = useEffectEvent(() => onFail?.());
  useEffect(() => {
    if (!wanted || Component) return;
    void source.load().then(
      (loaded) => setComponent(() => loaded),
      () => {
        setFailed(true);
        fail();
      },
    );
    return () => setFailed(false);
  }, [source, wanted, Component]);
  return { Component, isFailed };
}
