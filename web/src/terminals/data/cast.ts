// Recordings: asciicast files of version 2 and 3.

/** An Event is what happened at a moment: output, or a new size of the terminal. */
export type Event =
  | { readonly at: number; readonly output: string }
  | { readonly at: number; readonly cols: number; readonly rows: number };

/** A Cast is a recording. Times are in milliseconds since its start, and never decrease. */
export interface Cast extends Readonly<ReturnType<typeof headerOf>> {
  readonly events: readonly Event[];
  readonly length: number; // to the last event
}

/** The most columns and rows that a recording is displayed with: the server's limits. */
const MOST_CELLS = 1000;

/** NotARecording is the error of a file that is not a recording, or is damaged. */
export class NotARecording extends Error {
  override readonly name = "NotARecording";
}

/** readCast reads a recording. It fails with a [[NotARecording]]. */
export function readCast(file: string): Cast {
  const lines = file.split("\n");
  const events: Event[] = [];
  let header: ReturnType<typeof headerOf> | undefined;
  let at = 0;
  for (const [i, line] of lines.entries()) {
    const text = line.trim();
    if (text === "" || (header?.version === 3 && text.startsWith("#"))) continue;
    const value = parsed(text);
    if (header === undefined) {
      header = headerOf(value);
      continue;
    }
    const [seconds, kind, data] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof seconds !== "number" || !(seconds >= 0) || typeof kind !== "string" || typeof data !== "string") {
      if (i === lines.length - 1) break; // the file was cut within an event
      throw new NotARecording(`line ${i + 1} of the recording is not an event`);
    }
    // In version 3, a time is relative to the event before.
    at = header.version === 3 ? at + seconds * 1000 : Math.max(at, seconds * 1000);
    if (kind === "o") {
      events.push({ at, output: data });
    } else if (kind === "r") {
      const size = data.split("x").map(Number);
      if (!isSize(size)) throw new NotARecording(`line ${i + 1} of the recording has no size`);
      events.push({ at, cols: size[0], rows: size[1] });
    }
  }
  if (header === undefined) throw new NotARecording("this is not a recording: it is empty");
  return { ...header, events, length: at };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSize(size: readonly unknown[]): size is readonly [number, number] {
  const fits = (n: unknown): boolean => typeof n === "number" && Number.isInteger(n) && n >= 1 && n <= MOST_CELLS;
  return size.length === 2 && size.every(fits);
}

function headerOf(value: unknown) {
  const of = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const version = of["version"];
  if (version !== 2 && version !== 3) {
    throw new NotARecording(typeof version === "number" ? `recordings of version ${version} are not supported: only 2 and 3 are` : "this is not a recording");
  }
  const term = (of["term"] ?? {}) as Readonly<Record<string, unknown>>;
  const size = version === 2 ? [of["width"], of["height"]] : [term["cols"], term["rows"]];
  if (!isSize(size)) throw new NotARecording("the recording does not say how large its terminal was");
  const { timestamp } = of;
  return {
    version, cols: size[0], rows: size[1],
    start: typeof timestamp === "number" && timestamp > 0 ? timestamp * 1000 : undefined, // in milliseconds since 1970, if the file says it
  };
}
