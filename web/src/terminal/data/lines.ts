// The history of a session as a view reads it: lines by their numbers, which stay true while output
// arrives, until lines are wrapped again. This file does not use the DOM.

import { array, boolean, count, optional, record, string } from "../../data/validate";

/** Color is an entry of the palette, or a direct colour such as "rgb(1 2 3)". */
export type Color = number | string;

/** Span is a part of a line in one style. */
export interface Span {
  readonly text: string;
  readonly fg: Color | undefined;
  readonly bg: Color | undefined;
  readonly bold: boolean;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strikethrough: boolean;
  readonly inverse: boolean;
  readonly conceal: boolean;
  readonly link: string | undefined;
}

/** Line is a row of the terminal. */
export type Line = readonly Span[];

/** Page is a part of the history. */
export interface Page {
  readonly first: number; // number of the first of lines
  readonly lines: readonly Line[];
  readonly oldest: number; // number of the first line that is kept
  readonly end: number; // number after the last line
  readonly layout: number; // changes when lines get other numbers
}

/** Match is a place where a search has found something. */
export interface Match {
  readonly line: number;
  readonly text: string;
}

/** Command is a command in the history, by the numbers of lines. */
export interface Command {
  readonly prompt: number;
  readonly output: number | undefined; // undefined before the command has been started
  readonly failed: boolean;
}

/** Query is what to search for. */
export interface Query {
  readonly text: string;
  readonly isPattern: boolean; // a regular expression
  readonly ignoreCase: boolean;
}

/** HistorySource reads the history of one session. */
export interface HistorySource {
  /** lines returns lines from a number on; fewer where there are no more. */
  lines(from: number, limit: number): Promise<Page>;
  /** newest returns the last lines, which end with the primary screen. */
  newest(limit: number): Promise<Page>;
  /** search returns the newest matches, from the oldest to the newest. */
  search(query: Query): Promise<readonly Match[]>;
  commands(): Promise<readonly Command[]>;
  /** output returns the output of the command with that prompt. */
  output(prompt: number): Promise<string>;
}

function color(raw: unknown, what: string): Color {
  const m = record(raw, what);
  if (m["indexed"] !== undefined) return count(m["indexed"], what);
  const { r, g, b } = record(m["rgb"], what);
  return `rgb(${count(r, what)} ${count(g, what)} ${count(b, what)})`;
}

function span(raw: unknown): Span {
  const m = record(raw, "span");
  const is = (name: string): boolean => optional(m[name], name, boolean) ?? false;
  return {
    text: string(m["text"], "text"), fg: optional(m["fg"], "fg", color), bg: optional(m["bg"], "bg", color),
    bold: is("bold"), faint: is("faint"), italic: is("italic"), underline: is("underline"), strikethrough: is("strikethrough"),
    inverse: is("inverse"), conceal: is("conceal"), link: optional(m["link"], "link", string),
  };
}

/** pageOf reads the answer of scrollback.get. */
export function pageOf(raw: unknown): Page {
  const m = record(raw, "answer");
  const [first, offset] = [count(m["first"], "first"), count(m["offset"], "offset")];
  const oldest = first - offset;
  return {
    first, oldest, end: oldest + count(m["total_lines"], "total_lines"), layout: count(m["layout"], "layout"),
    lines: array(m["lines"], "lines").map((line) => array(line, "line").map(span)),
  };
}

/** matchesOf reads the answer of scrollback.search. */
export function matchesOf(raw: unknown): Match[] {
  return array(record(raw, "answer")["matches"], "matches").map((match) => {
    const m = record(match, "match");
    return { line: count(m["first"], "first"), text: string(m["text"], "text") };
  });
}

/** commandsOf reads the answer of command.list. */
export function commandsOf(raw: unknown): Command[] {
  return array(record(raw, "answer")["commands"], "commands").map((command) => {
    const m = record(command, "command");
    const code = m["exit_code"];
    return { prompt: count(m["prompt"], "prompt"), output: optional(m["output"], "output", count), failed: code !== undefined && code !== 0 };
  });
}

/** outputOf reads the answer of command.output. It throws an error if the output is too long. */
export function outputOf(raw: unknown): string {
  const m = record(raw, "answer");
  if (optional(m["too_long"], "too_long", boolean)) throw new Error("The output has more than 1 MiB: select it instead.");
  return string(m["text"], "text");
}

/** Answers are requests to the server's API: path is below the session's, and query its parameters. */
export type Answers = (path: string, query: Readonly<Record<string, string>>) => Promise<unknown>;

/** historyOver returns the history of a session that answers requests. */
export function historyOver(ask: Answers): HistorySource {
  return {
    lines: async (from, limit) => pageOf(await ask("scrollback", { from: String(from), limit: String(limit) })),
    newest: async (limit) => pageOf(await ask("scrollback", { tail: String(limit) })),
    search: async ({ text, isPattern, ignoreCase }) =>
      matchesOf(await ask("scrollback/search", { [isPattern ? "pattern" : "text"]: text, ignore_case: String(ignoreCase), newest: "true", limit: "1000" })),
    commands: async () => commandsOf(await ask("commands", {})),
    output: async (prompt) => outputOf(await ask("commands/output", { prompt: String(prompt) })),
  };
}

/** Lines of one request. */
const CHUNK = 200;
/** How many chunks are kept. */
const KEPT = 60;

/**
 * Lines keeps the lines that were read, by their numbers. Lines of the screen still change, so they
 * are read again by refresh.
 */
export class Lines {
  readonly #source: HistorySource;
  readonly #changed: () => void;
  readonly #failed: (error: unknown) => void;
  readonly #chunks = new Map<number, (Line | undefined)[]>(); // least recently used first
  readonly #asked = new Set<number>();
  #layout: number | undefined;
  #settled = 0; // lines before this number do not change any more
  #generation = 0; // counts layouts: answers about an older one are dropped
  oldest = 0;
  end = 0;

  /** changed is called when lines, oldest or end have changed; renumbered when all numbers have. */
  constructor(source: HistorySource, changed: () => void, failed: (error: unknown) => void) {
    this.#source = source;
    this.#changed = changed;
    this.#failed = failed;
  }

  /** refresh reads the last lines again, and returns whether the lines were renumbered. */
  async refresh(screen: number): Promise<boolean> {
    const generation = this.#generation;
    const page = await this.#source.newest(screen);
    if (generation !== this.#generation) return true;
    const renumbered = this.#take(page);
    this.#forget(this.#settled, page.first);
    this.#settled = page.first;
    this.#put(page);
    this.#changed();
    return renumbered;
  }

  /** forget drops lines that were on the screen when they were read, since they may have changed. */
  #forget(from: number, to: number): void {
    for (const [chunk, lines] of this.#chunks) {
      const start = chunk * CHUNK;
      lines.fill(undefined, Math.max(0, from - start), Math.max(0, to - start));
    }
  }

  /** take stores the extent of the history, and returns whether the lines were renumbered. */
  #take(page: Page): boolean {
    const renumbered = this.#layout !== undefined && this.#layout !== page.layout;
    if (renumbered) {
      this.#generation++;
      this.#settled = page.end;
      this.#chunks.clear();
      this.#asked.clear();
    }
    this.#layout = page.layout;
    this.oldest = page.oldest;
    this.end = page.end;
    return renumbered;
  }

  #put({ first, lines }: Page): void {
    for (let i = 0; i < lines.length; i++) {
      const [chunk, at] = [Math.floor((first + i) / CHUNK), (first + i) % CHUNK];
      const kept = this.#chunks.get(chunk) ?? [];
      this.#chunks.delete(chunk);
      // An unchanged line stays the same object, so that its row stays, too.
      if (JSON.stringify(kept[at]) !== JSON.stringify(lines[i])) kept[at] = lines[i];
      this.#chunks.set(chunk, kept);
    }
    for (const chunk of this.#chunks.keys()) {
      if (this.#chunks.size <= KEPT) break;
      this.#chunks.delete(chunk);
    }
  }

  /** line returns a line, or undefined if it was not read yet: then it is being read. */
  line(number: number): Line | undefined {
    const chunk = Math.floor(number / CHUNK);
    const line = this.#chunks.get(chunk)?.[number % CHUNK];
    if (line === undefined && number >= this.oldest && number < this.end && !this.#asked.has(chunk)) void this.#read(chunk);
    return line;
  }

  async #read(chunk: number): Promise<void> {
    const generation = this.#generation;
    this.#asked.add(chunk);
    try {
      const page = await this.#source.lines(chunk * CHUNK, CHUNK);
      if (generation !== this.#generation) return;
      this.#asked.delete(chunk);
      this.#take(page);
      this.#put(page);
      this.#changed();
    } catch (error) {
      if (generation === this.#generation) this.#asked.delete(chunk);
      this.#failed(error);
    }
  }
}
