/** A failure that the operator can resolve. The program shows only its message, without a stack. */
export class PlainError extends Error {}
