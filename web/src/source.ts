// Names for JavaScript that comes out of templates, so that errors, stacks and
// the browser's debugger say where it is from, long after it was inserted.

/** Where something went wrong, as far as is known. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly source?: string;
}

type Kind = "script" | "code";

/** Lines that the browser puts before the body of a function made from text. */
const HEAD = 2;

const NAME = /\bui-(script|code):([^:\s)]+):(\d+)/;

/** named adds the name of the template key to JavaScript. It changes no line numbers. */
export function named(kind: Kind, key: string, code: string): string {
  return `${code}\n//# sourceURL=ui-${kind}:${encodeURIComponent(key)}`;
}

/** placeOf finds the first named place in a stack or an address; undefined when there is none. */
export function placeOf(text: string): Place | undefined {
  const [, kind, key, line] = NAME.exec(text) ?? [];
  if (kind === undefined || key === undefined) return undefined;
  return {
    source: `${kind} of ${decodeURIComponent(key)}`,
    line: Number(line) - (kind === "code" ? HEAD : 0),
  };
}
