import { type ComponentType, useEffect, useState } from "react";
import { whenUsed } from "./when-used";

type Loadable<Props> = { known: ComponentType<Props> | null; load: () => Promise<ComponentType<Props>> };

/** A component whose code is loaded when the page is first used, or at the latest when it is shown (`useLoadable`). */
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

/** The component, once it is loaded; until it is `wanted`, that may be never. Suspense would wait another 300 ms. */
export function useLoadable<Props>(source: Loadable<Props>, wanted = true): ComponentType<Props> | null {
  const [Component, setComponent] = useState(() => source.known);
  useEffect(() => {
    if (wanted && !Component) void source.load().then((loaded) => setComponent(() => loaded));
  }, [source, wanted, Component]);
  return Component;
}
