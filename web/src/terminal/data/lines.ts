// The history of a session as a view reads it: lines by their numbers, which stay true while output
// arrives, until lines are wrapped again. This file does not use the DOM.

import { any, count, flag, list, maybe, object, record, string, type Of } from "../../data/validate";

/** Color is an entry of the palette, or a direct colour such as "rgb(1 2 3)". */
export type Color = number | string;

/** Span is a part of a line in one style. */
export type Span = Of<typeof span>;
const span = object("span", {
  text: string, fg: maybe(color), bg: maybe(color), bold: flag, faint: flag, italic: flag, underline: flag, strikethrough: flag, inverse: flag, conceal: flag,
  link: maybe(string),
});

function color(raw: unknown, what: string): Color {
  const m = record(raw, what);
  if (m["indexed"] !== undefined) return count(m["indexed"], what);
  const { r, g, b } = record(m["rgb"], what);
  return `rgb(${count(r, what)} ${count(g, what)} ${count(b, what)})`;
}

/** Line is a row of the terminal. */
export type Line = readonly Span[];

/** Page is a part of the history. */
export type Page = ReturnType<typeof pageOf>;

/** pageOf reads the answer of scrollback.get. */
export function pageOf(raw: unknown) {
  const { first, offset, total_lines: total, layout, lines } = page(raw, "answer");
  const oldest = first - offset; // the number of the first line that is kept
  return { first, lines, oldest, end: oldest + total, layout }; // layout changes when lines get other numbers
}
const page = object("answer", { first: count, offset: count, total_lines: count, layout: count, lines: list(list(span)) });

/** Match is a place where a search has found something. */
export type Match = ReturnType<typeof matchesOf>[number];

/** matchesOf reads the answer of scrollback.search. */
export function matchesOf(raw: unknown) {
  return matches(raw, "answer").matches.map(({ first: line, text }) => ({ line, text }));
}
const matches = object("answer", { matches: list(object("match", { first: count, text: string })) });

/** Command is a command in the history, by the numbers of lines. */
export type Command = ReturnType<typeof commandsOf>[number];

/** commandsOf reads the answer of command.list. output is undefined before a command has been started. */
export function commandsOf(raw: unknown) {
  return commands(raw, "answer").commands.map(({ prompt, output, exit_code: code }) => ({ prompt, output, failed: code !== undefined && code !== 0 }));
}
const commands = object("answer", { commands: list(object("command", { prompt: count, output: maybe(count), exit_code: any })) });

/** outputOf reads the answer of command.output. It throws an error if the output is too long. */
function outputOf(raw: unknown): string {
  const m = record(raw, "answer");
  if (m["too_long"] === true) throw new Error("The output has more than 1 MiB: select it instead.");
  return string(m["text"], "text");
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

/** Ask carries out an operation that reads the session. */
export type Ask = (operation: string, args: Readonly<Record<string, string | number | boolean>>) => Promise<unknown>;

/** historyOver returns the history of a session that answers requests. */
export function historyOver(ask: Ask): HistorySource {
  return {
    lines: async (from, limit) => pageOf(await ask("scrollback.get", { from, limit })),
    newest: async (limit) => pageOf(await ask("scrollback.get", { tail: limit })),
    search: async ({ text, isPattern, ignoreCase }) =>
      matchesOf(await ask("scrollback.search", { [isPattern ? "pattern" : "text"]: text, ignore_case: ignoreCase, newest: true, limit: 1000 })),
    commands: async () => commandsOf(await ask("command.list", {})),
    output: async (prompt) => outputOf(await ask("command.output", { prompt })),
  };
}

/** Where the server's API has these operations, below a session. */
const PATHS: Readonly<Record<string, string>> = {
  "scrollback.get": "scrollback", "scrollback.search": "scrollback/search", "command.list": "commands", "command.output": "commands/output",
};

/** historyAt returns the history of a session over the server's API. get requests a path below the session's. */
export function historyAt(get: (path: string) => Promise<unknown>): HistorySource {
  return historyOver((operation, args) => get(`${PATHS[operation] ?? ""}?${new URLSearchParams(Object.entries(args).map(([name, value]) => [name, String(value)])).toString()}`));
}

/** Lines of one request. */
const CHUNK = 200;
/** How many lines are kept. */
const KEPT = 12_000;

/**
 * Lines keeps the lines that were read, by their numbers. Lines of the screen still change, so they
 * are read again by refresh.
 */
export class Lines {
  readonly #source: HistorySource;
  readonly #changed: () => void;
  readonly #failed: (error: unknown) => void;
  readonly #lines = new Map<number, Line>(); // least recently read first
  readonly #asked = new Set<number>(); // chunks
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
    for (const number of this.#lines.keys()) if (number >= from && number < to) this.#lines.delete(number);
  }

  /** take stores the extent of the history, and returns whether the lines were renumbered. */
  #take(page: Page): boolean {
    const renumbered = this.#layout !== undefined && this.#layout !== page.layout;
    if (renumbered) {
      this.#generation++;
      this.#settled = page.end;
      this.#lines.clear();
      this.#asked.clear();
    }
    this.#layout = page.layout;
    this.oldest = page.oldest;
    this.end = page.end;
    return renumbered;
  }

  #put({ first, lines }: Page): void {
    for (const [i, line] of lines.entries()) {
      const kept = this.#lines.get(first + i);
      this.#lines.delete(first + i);
      // An unchanged line stays the same object, so that its row stays, too.
      this.#lines.set(first + i, kept !== undefined && JSON.stringify(kept) === JSON.stringify(line) ? kept : line);
    }
    for (const number of this.#lines.keys()) {
      if (this.#lines.size <= KEPT) break;
      this.#lines.delete(number);
    }
  }

  /** line returns a line, or undefined if it was not read yet: then it is being read. */
  line(number: number): Line | undefined {
    const chunk = Math.floor(number / CHUNK);
    const line = this.#lines.get(number);
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
