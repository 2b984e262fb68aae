// Source URLs for JavaScript from templates, so that errors, stack traces and the debugger name the
// template.

/** Position is where an error occurred, as far as it is known. */
export interface Position {
  readonly file?: string;
  readonly line?: number;
  readonly source?: string;
}

type Kind = "script" | "code";

/** The lines that browsers put before the body of a Function made from text. */
const HEAD = 2;

const NAME = /\bui-(script|code):([^:\s)]+):(\d+)/;

/** named adds a source URL with the template's key to JavaScript. Line numbers stay the same. */
export function named(kind: Kind, key: string, code: string): string {
  return `${code}\n//# sourceURL=ui-${kind}:${encodeURIComponent(key)}`;
}

/** positionOf returns the first position with such a source URL in a stack trace or URL, if any. */
export function positionOf(text: string): Position | undefined {
  const [, kind, key, line] = NAME.exec(text) ?? [];
  if (kind === undefined || key === undefined) return undefined;
  return {
    source: `${kind} of ${decodeURIComponent(key)}`,
    line: Number(line) - (kind === "code" ? HEAD : 0),
  };
}
