/** A failure that the reader can act on; shown as its message, without a stack. */
export class PlainError extends Error {}
