// Recordings: asciicast files of version 2 and 3, read as they arrive.

/** An Event is what happened at a moment: output, or a new size of the terminal. */
export type Event =
  | { readonly at: number; readonly output: string }
  | { readonly at: number; readonly cols: number; readonly rows: number };

/** A Header describes a recording. */
type Header = Readonly<ReturnType<typeof header>>;

/** The most columns and rows that a recording is displayed with: the server's limits. */
const MOST_CELLS = 1000;

/** NotARecording is the error of a file that is not a recording, or is damaged. */
export class NotARecording extends Error {
  override readonly name = "NotARecording";
}

/** Cast reads a recording. Times are in milliseconds since its start, and never decrease. */
export class Cast {
  readonly events: Event[] = [];
  #header: Header | undefined;
  #rest = ""; // an incomplete line
  #line = 0;
  #at = 0;

  /** The header, once it has arrived. */
  get header(): Header | undefined {
    return this.#header;
  }

  /** Milliseconds from the start to the last event. */
  get length(): number {
    return this.#at;
  }

  /** add takes the next part of the file. It fails with a [[NotARecording]]. */
  add(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#read(line);
  }

  /** end takes a last line that has no end, unless it is incomplete. It fails if there is no header. */
  end(): void {
    const rest = this.#rest;
    this.#rest = "";
    if (rest.trim() !== "") {
      try {
        this.#read(rest);
      } catch (error) {
        if (this.#header === undefined) throw error; // otherwise the file was cut within an event
      }
    }
    if (this.#header === undefined) throw new NotARecording("this is not a recording: it is empty");
  }

  #read(text: string): void {
    this.#line++;
    const line = text.trim();
    if (line === "" || (this.#header?.version === 3 && line.startsWith("#"))) return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = undefined;
    }
    if (this.#header === undefined) this.#header = header(value);
    else this.#event(this.#header, value);
  }

  #event({ version }: Header, value: unknown): void {
    const [seconds, kind, data] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof seconds !== "number" || !(seconds >= 0) || typeof kind !== "string" || typeof data !== "string") {
      throw new NotARecording(`line ${this.#line} of the recording is not an event`);
    }
    // In version 3, a time is relative to the event before.
    const at = version === 3 ? this.#at + seconds * 1000 : Math.max(this.#at, seconds * 1000);
    this.#at = at;
    if (kind === "o") {
      this.events.push({ at, output: data });
    } else if (kind === "r") {
      const size = data.split("x").map(Number);
      if (!isSize(size)) throw new NotARecording(`line ${this.#line} of the recording has no size`);
      this.events.push({ at, cols: size[0], rows: size[1] });
    }
  }
}

function isSize(size: readonly unknown[]): size is readonly [number, number] {
  const fits = (n: unknown): boolean => typeof n === "number" && Number.isInteger(n) && n >= 1 && n <= MOST_CELLS;
  return size.length === 2 && size.every(fits);
}

function header(value: unknown) {
  const of = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const version = of["version"];
  if (version !== 2 && version !== 3) {
    throw new NotARecording(typeof version === "number" ? `recordings of version ${version} are not supported: only 2 and 3 are` : "this is not a recording");
  }
  const term = (of["term"] ?? {}) as Readonly<Record<string, unknown>>;
  const size = version === 2 ? [of["width"], of["height"]] : [term["cols"], term["rows"]];
  if (!isSize(size)) throw new NotARecording("the recording does not say how large its terminal was");
  const { title, timestamp } = of;
  return {
    version, cols: size[0], rows: size[1], title: typeof title === "string" ? title : "",
    start: typeof timestamp === "number" && timestamp > 0 ? timestamp * 1000 : undefined, // in milliseconds since 1970, if the file says it
  };
}
