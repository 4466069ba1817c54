import { act, createElement } from "react";
import { createRoot } from "react-dom/client";

// Runs hooks in React itself without a document. The component renders nothing, so React needs little of the
// DOM.

const events = { addEventListener() {}, removeEventListener() {} };
const document = {
  ...events,
  nodeType: 9,
  visibilityState: "visible",
  activeElement: null,
  getElementById: () => null,
  querySelector: () => null,
};
const container = { ...events, nodeType: 1, nodeName: "DIV", tagName: "DIV", ownerDocument: document };

function RunHook({ run }: { run: () => void }) {
  run();
  return null;
}

/**
 * Renders the hook. `current` is its latest return value, and `unmount` ends it. React's work inside `act` is
 * complete once the promise resolves.
 */
export async function renderHook<Result>(use: () => Result) {
  const HTMLIFrameElement = class {};
  Object.assign(globalThis, { window: globalThis, document, HTMLIFrameElement, ...events });
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const result: { current: Result | undefined } = { current: undefined };
  const run = () => {
    result.current = use();
  };
  // biome-ignore lint/suspicious/noExplicitAny: the container has only the members that React uses
  const root = createRoot(container as any);
  await act(async () => root.render(createElement(RunHook, { run })));
  return {
    get current(): Result {
      if (result.current === undefined) throw new Error("The hook has not run");
      return result.current;
    },
    unmount: () => act(async () => root.unmount()),
  };
}
