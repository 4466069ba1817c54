/** Adds a value to a statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The values of one statement, which begins with `values` as $1, $2, …, and the function that adds to them. */
export function binding(...values: unknown[]): { values: unknown[]; bind: Bind } {
  return { values, bind: (value) => `$${values.push(value)}` };
}
