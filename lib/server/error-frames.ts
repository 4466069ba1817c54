// What may be told of an error's place and kind (contract §6). Messages never: they quote the values they failed on.

export const MASKED = "[masked]";

/** A place in our own code: a path below the project's folder or below the site's address. */
export type Frame = { file: string; function?: string; line: number; column: number };

const MOST_FRAMES = 50;
/** `    at async name (place:1:2)` of V8, `name@place:1:2` of the other browsers. */
const PLACE =
  /^(?:\s+at (?:async )?(?:(?:new )?([\w$.<>]{1,100})(?: \[as \w+\])? \()?|[^@\s]*@)(\S*?):(\d{1,7}):(\d{1,7})\)?$/;

/**
 * The frames of an error's stack, the innermost first, without its message. `root` is what a place of ours begins
 * with (a folder, or the site's origin) and is cut off; any other place becomes `[masked]`.
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

/** What kind of error it is: the name of its class, which is code and not data. */
export const errorName = (error: unknown): string =>
  error instanceof Error && /^[A-Z]\w{0,60}$/.test(error.name) ? error.name : "Error";
