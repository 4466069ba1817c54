/** A failure that the operator can act on; only its message is shown, without a stack. */
export class PlainError extends Error {}
