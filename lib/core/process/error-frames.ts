// The place and kind of an error, as far as a report may contain them. A report must not contain messages, which quote
// the values that caused the error.

export const MASKED = "[masked]";

/** A position in our own code: a path within the project folder or below the site's address. */
export type Frame = { file: string; function?: string; line: number; column: number };

const MOST_FRAMES = 50;
/** Matches `    at async name (place:1:2)` of V8 and `name@place:1:2` of other browsers. */
const PLACE =
  /^(?:\s+at (?:async )?(?:(?:new )?([\w$.<>]{1,100})(?: \[as \w+\])? \()?|[^@\s]*@)(\S*?):(\d{1,7}):(\d{1,7})\)?$/;

/**
 * Returns the frames of an error's stack, innermost first, without the message. Removes `root` (a folder, or the site's
 * origin) from our own positions. Any other position becomes `[masked]`.
 */
export function framesOf({ stack, message }: { stack?: string; message: string }, root: string): Frame[] {
  const lines = (stack ?? "").replace(message, "").split("\n");
  return lines
    .slice(0, 2 * MOST_FRAMES)
    .flatMap((text) => {
      const [, name, place = "", line, column] = PLACE.exec(text) ?? [];
      if (!line) return [];
      const path = place.replace(/^file:\/\//, "");
      const file = path.startsWith(root)
        ? path.slice(root.length).replace(/^\//, "").split("?")[0]
        : undefined;
      const isOurs = file && /^[\w@.,()[\]~/+-]{1,300}\.[cm]?[jt]sx?$/.test(file);
      const at = { line: Number(line), column: Number(column) };
      return [isOurs ? { file, ...(name && { function: name }), ...at } : { file: MASKED, ...at }];
    })
    .slice(0, MOST_FRAMES);
}

/** Returns the class name of an error, which is code rather than data. */
export const errorName = (error: unknown): string =>
  error instanceof Error && /^[A-Z]\w{0,60}$/.test(error.name) ? error.name : "Error";

/** Returns the frames as one text each, for a log. */
export const placesOf = (frames: readonly Frame[]): string[] =>
  frames.map((at) => `${at.function ?? "-"} ${at.file}:${at.line}:${at.column}`);

/** Returns the text about an expected error that a log may contain. Messages may contain addresses. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "unknown reason";
}
