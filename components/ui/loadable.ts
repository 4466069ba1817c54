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
  const [Component, setComponent] = useState(() => source.known);
  const fail = useEffectEvent(() => onFail?.());
  useAwaitedDialog(wanted && !Component);
  useEffect(() => {
    if (!wanted || Component) return;
    void source.load().then(
      (loaded) => setComponent(() => loaded),
      () => fail(),
    );
  }, [source, wanted, Component]);
  return Component;
}
