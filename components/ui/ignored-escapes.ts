/** Presses of Escape that a dialog ignored. They count toward hiding the screen, unlike those that close something. */
export const ignoredEscapes = new WeakSet<Event>();
