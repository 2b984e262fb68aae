// HistoryView displays the history of a session above its terminal: its lines as rows of text,
// which can be selected, searched and read aloud. Rows near the visible part are in the document,
// and read when they are needed.

import { button, make } from "../elements";
import { extended, legible, parseColor, printColor } from "./data/colors";
import { Lines, type Color, type Command, type HistorySource, type Line, type Match, type Query, type Span } from "./data/lines";
import { linesOf } from "./data/text";
import { copyText } from "./clipboard";
import { openLink } from "./links";
import type { Look } from "./options";
import type { Colors } from "./xterm";

/** Rows in the document above and below the visible ones. */
const OVERSCAN = 40;
/** Browsers lay out no more than some 33 million pixels; older lines are found by searching. */
const MOST_PIXELS = 30_000_000;
/** Milliseconds between two looks at output that arrives meanwhile. */
const REFRESH = 400;

/** HistoryEvents learn what happens in a history. */
export interface HistoryEvents {
  /** left is called when the person returns to the terminal. */
  left(): void;
  /** message is called with a sentence for the person. */
  message(text: string): void;
  /** open opens an address that the person has chosen; without it, in a new tab. */
  readonly open?: ((address: string) => void) | undefined;
  /** key handles the keys that the terminal has, too, and returns whether the history gets a key. */
  key(event: KeyboardEvent): boolean;
  /** typed is called with a key that is for the terminal, to which the person returns by it. */
  typed(event: KeyboardEvent): void;
}

/** HistoryLook is how the rows look. */
export interface HistoryLook extends Pick<Look, "fontFamily" | "fontSize"> {
  readonly colors: Colors;
  readonly contrast: number; // that text has with its background at least
  readonly rowHeight: number; // CSS pixels
  readonly rows: number; // of the terminal
}

/** HistoryView is a history that is open. */
export class HistoryView {
  readonly element = make("div", "terminal-history");
  readonly #content = make("div", "terminal-history-rows");
  readonly #space = make("div", {}, this.#content);
  readonly #scroller = make("div", { class: "terminal-history-lines", tabindex: "0", role: "log", "aria-label": "History of the terminal", "aria-live": "off" }, this.#space);
  readonly #bar: SearchBar;
  readonly #source: HistorySource;
  readonly #on: HistoryEvents;
  readonly #lines: Lines;
  readonly #ends = new AbortController();
  #look: HistoryLook;
  #base = 0; // number of the line at the top of the space
  #rows = new Map<number, { readonly line: Line | undefined; readonly element: HTMLElement }>();
  #matches: readonly Match[] = [];
  #match: Match | undefined;
  #mark: number | undefined; // the line to which the person has jumped
  #refreshing = false;
  #stale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastTop = 0;

  constructor(host: HTMLElement, source: HistorySource, look: HistoryLook, on: HistoryEvents) {
    this.#source = source;
    this.#look = look;
    this.#on = on;
    this.#lines = new Lines(source, () => this.#update(), (error) => this.#failed(error));
    this.#bar = new SearchBar((query) => void this.#search(query), (direction) => this.#step(direction), () => this.#scroller.focus());
    this.element.append(this.#scroller, this.#bar.element);
    host.append(this.element);
    this.#restyle();
    const { signal } = this.#ends;
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true, signal });
    this.element.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#content.addEventListener("click", (event) => this.#click(event), { signal });
  }

  /**
   * open reads the newest lines, and scrolls up by some pixels. It returns false if there is nothing
   * above the screen, unless the screen is wanted, too.
   */
  async open(up: number, screen = false): Promise<boolean> {
    await this.#lines.refresh(Math.max(this.#look.rows * 3, 100));
    if (this.#ends.signal.aborted) return false;
    if (!screen && this.#lines.end - this.#lines.oldest <= this.#look.rows) return false;
    this.#rebase();
    this.#scroller.scrollTop = Math.max(0, this.#bottom - up);
    this.#lastTop = this.#scroller.scrollTop;
    this.#update();
    return true;
  }

  /** toText scrolls so that the last line with text is visible: rows below it may be empty. */
  toText(): void {
    let last = this.#lines.end - 1;
    while (last > this.#base && /^\s*$/.test(this.#lines.line(last)?.map(({ text }) => text).join("") ?? "x")) last--;
    this.#scroller.scrollTop = (last + 1 - this.#base) * this.#look.rowHeight - this.#scroller.clientHeight;
    this.#update();
  }

  /** focus gives the history the keyboard. */
  focus(): void {
    this.#scroller.focus({ preventScroll: true });
  }

  /** scrollBy scrolls by pixels, as when the person goes on dragging. */
  scrollBy(pixels: number): void {
    this.#scroller.scrollTop += pixels;
  }

  /** look changes how the rows look. */
  set look(look: HistoryLook) {
    const top = this.#base + this.#scroller.scrollTop / this.#look.rowHeight;
    this.#look = look;
    this.#restyle();
    this.#clear();
    this.#resize();
    this.#scroller.scrollTop = (top - this.#base) * look.rowHeight;
    this.#update();
  }

  /** arrived is called when the session has output. */
  arrived(): void {
    this.#stale = true;
    if (this.#refreshing || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh();
    }, REFRESH);
  }

  /** find lets the person search. */
  find(): void {
    this.#bar.open();
  }

  /** jump goes to the next or previous command, or to one that has failed. */
  async jump(direction: 1 | -1, failed: boolean): Promise<void> {
    const commands = await this.#commands();
    if (commands === undefined) return;
    const from = this.#mark ?? (direction < 0 ? this.#topLine + 1 : this.#topLine);
    const found = direction > 0
      ? commands.find((c) => c.prompt > from && (!failed || c.failed))
      : commands.findLast((c) => c.prompt < from && (!failed || c.failed));
    if (found === undefined) {
      const what = failed ? "failed command" : "command";
      this.#on.message(commands.length === 0 ? "The shell has not marked its commands." : `There is no ${what} ${direction > 0 ? "below" : "above"}.`);
      return;
    }
    this.#goTo(found.prompt);
  }

  /** copyOutput copies the output of the command at the top of the view, or of the last one above. */
  async copyOutput(): Promise<void> {
    const commands = await this.#commands();
    const line = this.#mark ?? this.#topLine;
    const command = commands?.findLast((c) => c.output !== undefined && c.prompt <= line) ?? commands?.findLast((c) => c.output !== undefined);
    if (command === undefined) {
      if (commands !== undefined) this.#on.message("There is no command whose output could be copied.");
      return;
    }
    try {
      const text = await this.#source.output(command.prompt);
      await copyText(text);
      const lines = linesOf(text);
      this.#goTo(command.prompt);
      this.#on.message(`Copied ${lines === 1 ? "1 line" : `${lines} lines`} of output.`);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** close removes the view. */
  close(): void {
    this.#ends.abort();
    clearTimeout(this.#timer);
    this.element.remove();
  }

  async #commands(): Promise<readonly Command[] | undefined> {
    try {
      return await this.#source.commands();
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  async #refresh(): Promise<void> {
    this.#refreshing = true;
    this.#stale = false;
    try {
      const fromEnd = this.#lines.end - this.#topLine;
      if (await this.#lines.refresh(this.#look.rows) && !this.#ends.signal.aborted) {
        this.#clear();
        this.#mark = undefined;
        this.#rebase();
        this.#scroller.scrollTop = (this.#lines.end - fromEnd - this.#base) * this.#look.rowHeight;
        this.#update();
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#refreshing = false;
      if (this.#stale && !this.#ends.signal.aborted) this.arrived();
    }
  }

  #failed(error: unknown): void {
    if (!this.#ends.signal.aborted) this.#on.message(error instanceof Error ? error.message : String(error));
  }

  // Layout.

  get #topLine(): number {
    return this.#base + Math.floor(this.#scroller.scrollTop / this.#look.rowHeight);
  }

  get #bottom(): number {
    return this.#scroller.scrollHeight - this.#scroller.clientHeight;
  }

  #rebase(): void {
    this.#base = Math.max(this.#lines.oldest, this.#lines.end - Math.floor(MOST_PIXELS / this.#look.rowHeight));
    this.#resize();
  }

  #resize(): void {
    const { rowHeight, rows } = this.#look;
    this.#space.style.height = `${(this.#lines.end - this.#base) * rowHeight}px`;
    // At the bottom, rows are where the terminal has them, whose screen may be lower than the view.
    this.#space.style.paddingBottom = rows === 0 ? "" : `${Math.max(0, this.#scroller.clientHeight - rows * rowHeight)}px`;
  }

  #restyle(): void {
    const { colors, fontFamily, fontSize, rowHeight } = this.#look;
    const { style } = this.#scroller;
    style.font = `${fontSize}px/${rowHeight}px ${fontFamily}`;
    style.color = colors.foreground;
    style.backgroundColor = colors.background;
  }

  #clear(): void {
    this.#rows.clear();
    this.#content.replaceChildren();
  }

  /** update makes the rows in the document those near the visible part. */
  #update(): void {
    if (this.#ends.signal.aborted) return;
    this.#resize();
    const visible = Math.ceil(this.#scroller.clientHeight / this.#look.rowHeight);
    let first = Math.max(this.#base, this.#topLine - OVERSCAN);
    let last = Math.min(this.#lines.end, this.#topLine + visible + OVERSCAN);
    // Rows with a part of the selection stay, so that all of it can be copied.
    const selection = getSelection();
    if (selection !== null && !selection.isCollapsed && selection.containsNode(this.#content, true)) {
      for (const number of this.#rows.keys()) {
        first = Math.min(first, number);
        last = Math.max(last, number + 1);
      }
    }
    for (const [number, { element }] of this.#rows) {
      if (number >= first && number < last) continue;
      element.remove();
      this.#rows.delete(number);
    }
    let next: Element | null = null;
    for (let number = last - 1; number >= first; number--) {
      const line = this.#lines.line(number);
      const old = this.#rows.get(number);
      if (old !== undefined && old.line === line) {
        next = old.element;
        continue;
      }
      const element = this.#row(number, line);
      if (old === undefined) this.#content.insertBefore(element, next);
      else old.element.replaceWith(element);
      this.#rows.set(number, { line, element });
      next = element;
    }
    this.#content.style.top = `${(first - this.#base) * this.#look.rowHeight}px`;
  }

  #row(number: number, line: Line | undefined): HTMLElement {
    const row = make("div", { "data-line": number, class: number === this.#mark && "terminal-history-mark" }, ...(line ?? []).map((span) => this.#span(span)));
    for (const match of this.#matches) if (match.line === number) highlight(row, match.text, match === this.#match);
    if (line !== undefined && row.textContent === "") row.append("\n"); // an empty line can be selected
    return row;
  }

  #span(span: Span): HTMLElement | Text {
    const { text, fg, bg, inverse, bold, faint } = span;
    if (fg === undefined && bg === undefined && !inverse && !(bold || faint || span.italic || span.underline || span.strikethrough || span.conceal) && span.link === undefined) {
      return document.createTextNode(text);
    }
    const e = document.createElement(span.link === undefined ? "span" : "a");
    e.textContent = text;
    const { colors } = this.#look;
    // As in xterm.js, the first eight colours are bright in bold text.
    const front = this.#color(typeof fg === "number" && fg < 8 && bold ? fg + 8 : fg) ?? colors.foreground;
    const back = this.#color(bg) ?? colors.background;
    e.style.color = inverse ? this.#ink(back, front, faint) : this.#ink(front, back, faint);
    if (inverse || bg !== undefined) e.style.backgroundColor = inverse ? front : back;
    if (bold) e.style.fontWeight = "bold";
    if (faint) e.style.opacity = "0.6";
    if (span.italic) e.style.fontStyle = "italic";
    if (span.underline || span.strikethrough) e.style.textDecoration = `${span.underline ? "underline" : ""} ${span.strikethrough ? "line-through" : ""}`;
    if (span.conceal) e.style.visibility = "hidden";
    if (span.link !== undefined) {
      e.dataset["link"] = span.link;
      e.role = "link";
    }
    return e;
  }

  #color(color: Color | undefined): string | undefined {
    if (typeof color !== "number") return color;
    return color < 16 ? this.#look.colors.ansi[color] : printColor(extended(color));
  }

  /** ink returns the colour of text that a program wants to have a colour on a background, so that it can be read. */
  #ink(front: string, back: string, faint: boolean): string {
    return printColor(legible(parseColor(front), parseColor(back), this.#look.contrast / (faint ? 2 : 1)));
  }

  // Actions of the person.

  #scrolled(): void {
    const top = this.#scroller.scrollTop;
    const down = top > this.#lastTop;
    this.#lastTop = top;
    if (down && top >= this.#bottom - 1 && this.#bar.element.hidden && (getSelection()?.isCollapsed ?? true)) {
      this.#on.left();
      return;
    }
    this.#update();
  }

  #key(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    event.stopPropagation();
    if (event.target instanceof HTMLInputElement) {
      if (key === "Escape") this.#bar.close();
      return;
    }
    const atEnd = this.#scroller.scrollTop >= this.#bottom - 1;
    const leaves = key === "Escape" || key === "End" || (atEnd && (key === "PageDown" || key === "ArrowDown"));
    if (!this.#on.key(event)) return;
    if (leaves && !(altKey || ctrlKey || metaKey)) {
      event.preventDefault();
      this.#on.left();
    } else if (key.length === 1 && (event.getModifierState("AltGraph") || !(ctrlKey || metaKey || altKey)) || key === "Enter" || key === "Backspace") {
      event.preventDefault();
      this.#on.typed(event);
    }
  }

  #click(event: MouseEvent): void {
    const link = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-link]")?.dataset["link"] : undefined;
    if (link !== undefined && (getSelection()?.isCollapsed ?? true)) void openLink(this.element, link, this.#on.open);
  }

  // Searching.

  async #search(query: Query): Promise<void> {
    if (query.text === "") {
      this.#matches = [];
      this.#match = undefined;
      this.#bar.count(0, 0);
      this.#clear();
      this.#update();
      return;
    }
    try {
      const matches = await this.#source.search(query);
      if (this.#ends.signal.aborted || !this.#bar.isAbout(query)) return;
      this.#matches = matches;
      this.#match = matches.findLast((m) => m.line <= this.#topLine + Math.ceil(this.#scroller.clientHeight / this.#look.rowHeight)) ?? matches.at(-1);
      this.#showMatch();
    } catch (error) {
      this.#failed(error);
    }
  }

  #step(direction: 1 | -1): void {
    const n = this.#matches.length;
    if (n === 0) return;
    const at = this.#match === undefined ? 0 : this.#matches.indexOf(this.#match);
    this.#match = this.#matches[(at + direction + n) % n];
    this.#showMatch();
  }

  #showMatch(): void {
    const match = this.#match;
    this.#bar.count(match === undefined ? 0 : this.#matches.indexOf(match) + 1, this.#matches.length);
    this.#clear();
    if (match !== undefined) this.#reveal(match.line);
    this.#update();
  }

  /** goTo scrolls to a line and marks it. */
  #goTo(line: number): void {
    this.#mark = line;
    this.#clear();
    this.#base = Math.min(this.#base, line);
    this.#resize();
    this.#lastTop = this.#scroller.scrollTop = (line - this.#base) * this.#look.rowHeight;
    this.#update();
  }

  /** reveal scrolls to a line unless it is visible. */
  #reveal(line: number): void {
    this.#base = Math.max(this.#lines.oldest, Math.min(this.#base, line));
    this.#resize();
    const top = (line - this.#base) * this.#look.rowHeight;
    const { scrollTop, clientHeight } = this.#scroller;
    if (top >= scrollTop && top + this.#look.rowHeight <= scrollTop + clientHeight) return;
    this.#lastTop = this.#scroller.scrollTop = Math.max(0, top - clientHeight / 3);
  }
}

/** highlight marks each occurrence of a text in a row. */
function highlight(row: HTMLElement, text: string, current: boolean): void {
  if (text === "") return;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  const whole = nodes.map((n) => n.data).join("");
  const ranges: [number, number][] = [];
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + text.length)) ranges.push([at, at + text.length]);
  let start = 0;
  for (const node of nodes) {
    const end = start + node.data.length;
    // From the last on, so that what is split off does not move the others.
    for (const [from, to] of ranges.toReversed()) {
      const [a, b] = [Math.max(from, start) - start, Math.min(to, end) - start];
      if (a >= b) continue;
      node.splitText(b);
      const mark = document.createElement("mark");
      if (current) mark.className = "terminal-current";
      const part = node.splitText(a);
      part.replaceWith(mark);
      mark.append(part);
    }
    start = end;
  }
}

/** SearchBar is where the person enters what to search for. */
class SearchBar {
  readonly element = make("div", { class: "terminal-search", role: "search", hidden: true });
  readonly #input = make("input", { type: "search", "aria-label": "Search the history", placeholder: "Search the history", spellcheck: "false" });
  readonly #count = make("span", { role: "status" });
  readonly #pattern = make("input", { type: "checkbox", "aria-label": "Regular expression" });
  readonly #search: (query: Query) => void;
  readonly #closed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(search: (query: Query) => void, step: (direction: 1 | -1) => void, closed: () => void) {
    this.#search = search;
    this.#closed = closed;
    const tool = (text: string, name: string, act: () => void): HTMLButtonElement => {
      const b = button("", text, act, name);
      b.ariaLabel = name;
      return b;
    };
    this.element.append(
      this.#input, this.#count, make("label", { title: "Regular expression" }, this.#pattern, ".*"),
      tool("↑", "Previous match", () => step(-1)), tool("↓", "Next match", () => step(1)), tool("×", "Close the search", () => this.close()),
    );
    this.#input.oninput = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#search(this.#query), 120);
    };
    this.#pattern.onchange = () => this.#search(this.#query);
    this.#input.onkeydown = (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      step(event.shiftKey ? 1 : -1);
    };
  }

  get #query(): Query {
    const text = this.#input.value;
    // Capitals count only if there are some, as when looking back in a terminal.
    return { text, isPattern: this.#pattern.checked, ignoreCase: text === text.toLowerCase() };
  }

  isAbout({ text, isPattern }: Query): boolean {
    return text === this.#input.value && isPattern === this.#pattern.checked;
  }

  open(): void {
    this.element.hidden = false;
    this.#input.focus();
    this.#input.select();
  }

  close(): void {
    this.element.hidden = true;
    this.#closed();
  }

  /** count displays which match of how many is the current one. */
  count(current: number, of: number): void {
    this.#count.textContent = this.#input.value === "" ? "" : of === 0 ? "no match" : `${current} of ${of}${of === 1000 ? "+" : ""}`;
  }
}
