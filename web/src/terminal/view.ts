// TerminalView displays a session in a page: a client attached to it over a Link, drawn by
// xterm.js.

import { make } from "../elements";
import type { Source } from "../popup/sources";
import { Client, type State } from "./data/client";
import { fontFor, sizeFor, type Box } from "./data/fit";
import { utf8, type Size } from "./data/frames";
import { sentenceOf } from "./data/sentences";
import { linesOf, pasteable } from "./data/text";
import { cell } from "./cell";
import { copyText } from "./clipboard";
import { confirm } from "./confirm";
import { FingerSelection } from "./fingerselection";
import { HistoryView, type HistoryLook } from "./history";
import { bytesOf, typedBy, type Key } from "./keys";
import { openLink, watchLinks } from "./links";
import { Note } from "./note";
import { openTerminal, restyle } from "./open";
import { DEFAULT_LOOK, type Look, type TerminalEvents, type TerminalOptions } from "./options";
import { Paint } from "./paint";
import { contrastOf, palettes } from "./palettes";
import { scrollWith } from "./scroll";
import { adoptViewStyle, setColors } from "./style";
import type { Terminal, WebglAddon } from "./xterm";

/** The event of a view's element when the terminal has painted something. */
const RENDERED = "terminalrendered";
/** Milliseconds for which the size of the view must rest before the server learns of it. */
const RESIZE_REST = 100;
/** Milliseconds for which xterm.js waits for the size of the session, with which it is made. */
const SIZE_WAIT = 300;

/** TerminalView is one terminal in a page. It fills its host, whose size it follows. */
export class TerminalView {
  readonly element = make("div", { class: "terminal-view", role: "group", tabindex: "-1" });
  readonly #screen = make("div", "terminal-screen");
  readonly #note = new Note(() => this.focus());
  readonly #o: TerminalOptions;
  readonly #on: Partial<TerminalEvents>;
  readonly #client: Client;
  readonly #questions: Source | undefined;
  readonly #paint: Paint;
  readonly #ends = new AbortController();
  readonly #resizes = new ResizeObserver(() => this.#layout());
  readonly #sight = new IntersectionObserver((entries) => this.#paint.scrolled(entries.at(-1)?.isIntersecting ?? true));
  #look: Look;
  #terminal: Terminal | undefined;
  #webgl: WebglAddon | undefined;
  #session: Size | undefined; // size of the pictures
  #fits: Size | undefined; // size that the view has room for
  #asked = false; // the person has asked for the size of the view
  #whole = true; // the session is scaled to fit into the view
  #best = 0; // the size of the font at which it fits, at most the chosen one; 0 is not known
  #scaled = false; // it is too large for the view at the chosen size of the font
  readonly #fingerSelection = new FingerSelection(() => this.#terminal);
  #cursor = { x: -1, y: -1 }; // the cell that was last brought into view
  #alternateScroll = false; // the wheel is for the program, as arrow keys
  #applicationCursor = false; // the program wants cursor keys in their other form
  #history: HistoryView | undefined; // while the person looks back
  #over: string | undefined; // the session, if it had ended before the view could attach: there is no screen
  #resting: ReturnType<typeof setTimeout> | undefined; // the size of the view rests
  readonly #sized = Promise.withResolvers<void>(); // the size of the session is known, or will not be soon
  readonly #opened = Promise.withResolvers<Terminal>(); // xterm.js is loaded
  readonly #begun = Promise.withResolvers<void>(); // it has drawn the first pictures, which set modes of keys

  constructor(host: HTMLElement, options: TerminalOptions, events: Partial<TerminalEvents> = {}) {
    this.#o = options;
    this.#on = events;
    this.#look = { ...DEFAULT_LOOK, ...options.look };
    this.element.ariaLabel = options.label;
    this.element.append(this.#screen, this.#note.element);
    host.append(this.element);
    adoptViewStyle(this.element);
    setColors(this.element, this.#look.palette);
    this.#questions = options.questions?.add((text) => this.#client.aboutQuestion(text));
    this.#client = new Client({
      dial: options.dial, readOnly: options.readOnly ?? false, questions: options.questions !== undefined, name: options.client ?? "",
    }, {
      changed: (state) => this.#changed(state),
      resized: (size) => this.#resized(size),
      draw: (bytes) => void this.#draw(bytes),
      uncertain: () => (this.#note.uncertain = true),
      unsent: () => (this.#note.unsent = true),
      refused: ({ message }) => this.#note.report(sentenceOf(message)),
      question: (text) => this.#questions?.received(text),
    });
    this.#paint = new Paint(this.#client, () => {
      events.pictured?.();
      void this.#accelerate(); // which takes longer than the first picture
    }, options.pace);
    this.#follow();
    this.#layout();
    this.#client.start();
    setTimeout(this.#sized.resolve, SIZE_WAIT);
    void this.#load();
  }

  /** focus gives the terminal the keyboard. */
  focus(): void {
    if (this.#history !== undefined) this.#history.focus();
    else if (this.#terminal !== undefined) this.#terminal.focus();
    else if (document.activeElement !== this.element) this.element.focus();
  }

  /** state returns the state of the connection. */
  get state(): State {
    return this.#client.state;
  }

  /** losses says what may not have arrived of what the person has typed, or is empty. */
  get losses(): string {
    return this.#note.losses;
  }

  /** type types text or bytes as they are, such as those of a key that the keyboard lacks. */
  type(data: string | Uint8Array): void {
    void this.#type(typeof data === "string" ? utf8(data) : data);
  }

  /** press presses a key, encoded as the program has asked for. */
  press(key: Key): void {
    void this.#type(key);
  }

  /** paste pastes text as one paste. The person confirms several lines that would run at once. */
  async paste(text: string): Promise<void> {
    const terminal = this.#terminal;
    if (this.#o.readOnly) return;
    if (terminal === undefined) {
      this.#note.report("The terminal is still loading, so nothing was pasted. Paste again.");
      return;
    }
    const clean = pasteable(text);
    const lines = linesOf(clean);
    if ((lines > 1 || clean.endsWith("\n")) && !terminal.modes.bracketedPasteMode) {
      const title = lines > 1 ? `Paste ${lines} lines?` : "Paste a line with its end?";
      if (!await confirm(this.element, { title, literal: clean, yes: "Paste" })) return this.focus();
    }
    terminal.paste(clean);
    terminal.focus();
  }

  /** copy copies the selection, if there is one. */
  copy(): void {
    const text = this.selection;
    if (text !== "") copyText(text).catch((error: unknown) => this.#message(error instanceof Error ? error.message : String(error)));
  }

  /** selection returns the selected text. */
  get selection(): string {
    return (this.#history === undefined ? this.#terminal?.getSelection() : getSelection()?.toString()) ?? "";
  }

  /** size returns the size of the session, once it is known. */
  get size(): Size | undefined {
    return this.#session;
  }

  /** rows returns the text of the rows that are displayed. */
  rows(): string[] {
    const terminal = this.#terminal;
    if (terminal === undefined) return [];
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? "");
  }

  /** columnOf returns the column in which a text begins in a row, both from 0; -1 if it does not. */
  columnOf(row: number, text: string): number {
    const terminal = this.#terminal;
    const line = terminal?.buffer.active.getLine(terminal.buffer.active.baseY + row);
    for (let x = 0; line !== undefined && x < line.length; x++) {
      if (line.translateToString(true, x).startsWith(text)) return x;
    }
    return -1;
  }

  /** lead gives the session the size of the view, now and while nobody else leads. */
  lead(): void {
    this.#asked = true;
    this.#offer();
    this.#client.lead();
  }

  /** look changes what the person has chosen. */
  set look(look: Partial<Look>) {
    this.#look = { ...this.#look, ...look };
    setColors(this.element, this.#look.palette);
    if (this.#terminal !== undefined) restyle(this.#terminal, this.#look);
    this.#layout();
  }

  /** whole is whether a session that is too large for the view is scaled, or has the chosen font size and is panned. */
  get whole(): boolean {
    return this.#whole;
  }

  set whole(whole: boolean) {
    this.#whole = whole;
    this.#layout();
    this.#cursor = { x: -1, y: -1 };
    this.#showCursor();
  }

  /** reconnect connects at once if there is no connection, also after the session has ended. */
  reconnect(): void {
    this.#client.again();
    this.#client.hurry();
  }

  /** dispose detaches, and removes the view from the page. */
  dispose(): void {
    this.#ends.abort();
    this.#resizes.disconnect();
    this.#sight.disconnect();
    clearTimeout(this.#resting);
    this.#note.close();
    this.#client.close();
    this.#questions?.ended(false);
    this.#history?.close();
    this.#terminal?.dispose();
    this.#terminal = undefined;
    this.element.remove();
  }

  // Looking back.

  /**
   * lookBack displays the history, scrolled up by some pixels. It resolves to undefined if no lines
   * are above the screen, unless the screen is wanted, too.
   */
  async lookBack(up = 0, screen = false): Promise<HistoryView | undefined> {
    const session = this.#client.session?.id ?? this.#over;
    if (this.#history !== undefined || this.#o.history === undefined || session === undefined) return this.#history;
    const history = new HistoryView(this.element, this.#o.history(session), this.#historyLook(), {
      left: () => this.returnToScreen(),
      message: (text) => this.#message(text),
      open: this.#o.open,
      key: (event) => this.#key(event),
      typed: (event) => {
        this.returnToScreen();
        void this.#type(typedBy(event));
      },
    });
    this.#history = history;
    try {
      if (await history.open(up, screen)) {
        if (this.element.contains(document.activeElement)) history.focus();
        return history;
      }
    } catch (error) {
      this.#message(`The history cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (this.#history === history) this.returnToScreen();
    return undefined;
  }

  /** ended displays the last lines of a session that had ended before the view could attach. */
  async ended(session: string): Promise<void> {
    if (this.#session !== undefined || this.#client.session !== undefined || this.#over !== undefined) return;
    this.#over = session;
    (await this.lookBack(0, true))?.toText();
  }

  /** returnToScreen ends looking back, if there is a screen. */
  returnToScreen(): void {
    if (this.#over !== undefined) return;
    const hadFocus = this.#history?.element.contains(document.activeElement) ?? false;
    this.#history?.close();
    this.#history = undefined;
    if (hadFocus) this.focus();
  }

  /** find searches the history. */
  async find(): Promise<void> {
    (await this.lookBack(0, true))?.find();
  }

  /** jump goes to the previous or next command, or one that has failed. */
  async jump(direction: 1 | -1, failed = false): Promise<void> {
    await (await this.lookBack(0, true))?.jump(direction, failed);
  }

  /** copyOutput copies the output of the command that is displayed, or of the last one. */
  async copyOutput(): Promise<void> {
    await (await this.lookBack(0, true))?.copyOutput();
  }

  #message(text: string): void {
    if (this.#ends.signal.aborted) return;
    if (this.#on.message !== undefined) this.#on.message(sentenceOf(text));
    else this.#note.report(sentenceOf(text));
  }

  #historyLook(): HistoryLook {
    const { palette, fontFamily } = this.#look;
    const fontSize = (this.#session && this.#terminal?.options.fontSize) ?? this.#look.fontSize;
    return { colors: palettes[palette], contrast: contrastOf(palette), fontFamily, fontSize, rowHeight: cell(fontFamily, fontSize, this.#webgl !== undefined).height, rows: this.#session?.rows ?? 0 };
  }

  /** offerCopy lets the person copy what a finger has selected. */
  #offerCopy(): void {
    const lines = this.selection.split("\n");
    if (this.selection.trim() === "") return;
    this.#note.say(lines.length > 1 ? `${lines.length} lines are selected.` : "Text is selected.", "Copy", () => {
      this.#note.hide();
      this.copy();
      this.#fingerSelection.clear();
    });
  }

  /** programHasWheel is whether the wheel is for the program: as mouse events, or as arrow keys. */
  get #programHasWheel(): boolean {
    return this.#alternateScroll || (this.#terminal?.modes.mouseTrackingMode ?? "none") !== "none";
  }

  // Loading and events of the page.

  async #load(): Promise<void> {
    try {
      const xterm = await this.#o.xterm.terminal();
      await this.#sized.promise; // making it for another size and changing that takes twice as long
      if (this.#ends.signal.aborted) return;
      const terminal = openTerminal(xterm, this.#screen, this.#look, {
        fontSize: this.#font(), disableStdin: this.#o.readOnly ?? false, macOptionClickForcesSelection: true,
        cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
        linkHandler: { allowNonHttpProtocols: true, activate: (_: MouseEvent, address: string) => void openLink(this.element, address, this.#o.open) },
        ...(this.#session ?? { cols: 80, rows: 24 }),
      });
      this.#terminal = terminal;
      this.#listen(terminal);
      this.#layout();
      this.#opened.resolve(terminal);
      await this.#opened.promise; // what has waited for it longer goes on before
      terminal.write(new Uint8Array(), this.#begun.resolve);
      if (document.activeElement === this.element) terminal.focus();
    } catch (error) {
      this.#note.say(`The terminal cannot be displayed: ${error instanceof Error ? error.message : String(error)}`, "Reload", () => location.reload());
    }
  }

  /** accelerate draws with WebGL where that works. */
  async #accelerate(): Promise<void> {
    const terminal = this.#terminal;
    if (terminal === undefined || this.#o.webgl === false) return;
    try {
      const { WebglAddon } = await this.#o.xterm.webgl();
      if (this.#terminal !== terminal) return;
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => {
        webgl.dispose(); // the terminal draws without it from now on
        this.#webgl = undefined;
        this.#layout();
      });
      terminal.loadAddon(webgl);
      this.#webgl = webgl;
      this.#layout();
    } catch {
      // It draws without.
    }
  }

  #follow(): void {
    const { signal } = this.#ends;
    this.#resizes.observe(this.element);
    this.#sight.observe(this.element);
    document.addEventListener("visibilitychange", () => this.#paint.seen(), { signal });
    window.addEventListener("online", () => this.#client.hurry(), { signal });
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#client.hurry();
    }, { signal });
    this.element.addEventListener("focus", () => this.focus(), { signal });
    this.element.addEventListener("keydown", (event) => this.#typeEarly(event), { signal });
    const view = this;
    scrollWith(this.#screen, {
      get programHasWheel() { return view.#programHasWheel; },
      get pans() { return !view.#whole && view.#scaled; },
      get lookingBack() { return view.#history !== undefined; },
      get rowHeight() { return view.#historyLook().rowHeight; },
      lookBack: (up) => void this.lookBack(up),
      scrollBy: (down) => this.#history?.scrollBy(down),
      select: (x, y, begins) => begins ? this.#fingerSelection.begin(x, y) : this.#fingerSelection.extend(x, y),
      selected: () => this.#offerCopy(),
      tapped: () => {
        if (this.#fingerSelection.clear()) this.#note.hide();
      },
    }, signal);
    this.#screen.addEventListener("mousedown", (event) => {
      if (event.target !== this.#screen) return; // xterm.js has it
      event.preventDefault();
      this.focus();
    }, { signal });
    this.element.addEventListener("paste", (event) => {
      if (event.target instanceof HTMLInputElement) return; // of the search
      event.preventDefault();
      event.stopPropagation();
      void this.paste(event.clipboardData?.getData("text/plain") ?? "");
    }, { capture: true, signal });
  }

  #listen(terminal: Terminal): void {
    terminal.onData((data) => void this.#type(utf8(data)));
    terminal.onBinary((data) => void this.#type(Uint8Array.from(data, (c) => c.charCodeAt(0))));
    terminal.onTitleChange((title) => this.#on.title?.(title));
    terminal.onRender(() => this.element.dispatchEvent(new Event(RENDERED, { bubbles: true })));
    terminal.attachCustomKeyEventHandler((event) => this.#key(event));
    for (const final of ["h", "l"]) {
      terminal.parser.registerCsiHandler({ prefix: "?", final }, (params) => {
        if (params.includes(1007)) this.#alternateScroll = final === "h";
        if (params.includes(1)) this.#applicationCursor = final === "h";
        return false; // xterm.js handles the others
      });
    }
    watchLinks(terminal, this.element, this.#o.open);
  }

  // Keys and mouse.

  /** typeEarly keeps a key that is pressed before xterm.js is loaded. */
  #typeEarly(event: KeyboardEvent): void {
    if (this.#terminal !== undefined || event.target !== this.element || event.isComposing || !this.#key(event)) return;
    const typed = typedBy(event);
    if (typed === undefined) return;
    event.preventDefault();
    void this.#type(typed);
  }

  /** type types bytes or a key, once it is known how the program wants keys. */
  async #type(typed: Uint8Array | Key | undefined): Promise<void> {
    if (this.#o.readOnly || typed === undefined) return;
    await this.#begun.promise;
    if (!this.#client.type(typeof typed === "string" ? bytesOf(typed, this.#applicationCursor) : typed)) {
      if (this.#client.state.is === "waiting") this.#note.say("There is no connection, and no more of what you type can be kept.");
      return;
    }
    if (this.#client.kept) this.#changed(this.#client.state);
    this.#on.typed?.();
  }

  /** key handles the view's own keys, and returns whether the terminal gets a key. */
  #key(event: KeyboardEvent): boolean {
    const { type, ctrlKey, metaKey, shiftKey, altKey, code } = event;
    const only = (handle: () => void): boolean => {
      event.preventDefault();
      event.stopPropagation();
      if (type === "keydown") handle();
      return false;
    };
    const looksBack = this.#history !== undefined;
    const shortcuts: Readonly<Record<string, () => void>> = {
      KeyC: () => this.copy(),
      KeyV: () => void this.pasteClipboard(),
      KeyM: () => this.#leave(),
      KeyF: () => void this.find(),
      ArrowUp: () => void this.jump(-1),
      KeyE: () => void this.jump(-1, true),
      KeyO: () => void this.copyOutput(),
      ...(looksBack && { ArrowDown: () => void this.jump(1) }),
    };
    const shortcut = ctrlKey && shiftKey && !altKey && !metaKey ? shortcuts[code] : undefined;
    if (shortcut !== undefined) return only(shortcut);
    if (looksBack) return true;
    if (shiftKey && !ctrlKey && !altKey && !metaKey && code === "PageUp") {
      return only(() => void this.lookBack(this.#screen.clientHeight - this.#historyLook().rowHeight));
    }
    if (metaKey && !ctrlKey && !altKey && code === "KeyC" && this.#terminal?.hasSelection()) return only(() => this.copy());
    if (ctrlKey && !shiftKey && !altKey && !metaKey && code === "KeyC" && this.#terminal?.hasSelection()) {
      return only(() => {
        this.copy();
        this.#terminal?.clearSelection();
      });
    }
    // The browser pastes, which the view handles.
    if ((ctrlKey !== metaKey) && !altKey && !shiftKey && code === "KeyV" && metaKey) return false;
    return true;
  }

  /** pasteClipboard pastes what the clipboard has. */
  async pasteClipboard(): Promise<void> {
    try {
      await this.paste(await navigator.clipboard.readText());
    } catch {
      this.#note.report("The browser does not let this page read the clipboard: paste with its menu or with Shift+Insert.");
    }
  }

  #leave(): void {
    this.#terminal?.blur(); // Tab goes on from here
    this.#on.leave?.();
  }

  // Pictures.

  #resized(size: Size): void {
    this.#session = size;
    this.#sized.resolve();
    this.#terminal?.resize(size.cols, size.rows);
    this.#layout();
    this.#on.size?.(size, this.#fits);
  }

  async #draw(bytes: Uint8Array): Promise<void> {
    const terminal = await this.#opened.promise;
    if (this.#ends.signal.aborted) return;
    this.#history?.arrived();
    terminal.write(bytes, () => {
      this.#paint.written();
      this.#showCursor();
    });
  }

  // Layout.

  #layout(): void {
    adoptViewStyle(this.element); // the host may have been outside of the document until now
    const box = this.#box;
    if (box.width === 0 || box.height === 0) return;
    const cellOf = (font: number): Box => this.#cell(font);
    const fits = sizeFor(box, cellOf, this.#look.fontSize);
    const session = this.#session;
    const terminal = this.#terminal;
    if (terminal !== undefined && session !== undefined) {
      const best = this.#font();
      const scaled = best < this.#look.fontSize;
      if (best !== this.#best || scaled !== this.#scaled) {
        this.#best = best;
        this.#scaled = scaled;
        this.#on.fitted?.(best, scaled);
      }
      const pans = this.#scaled && !this.#whole;
      this.#screen.classList.toggle("terminal-pans", pans);
      if (!pans) this.#screen.scrollTo(0, 0);
      const font = this.#whole ? best : this.#look.fontSize;
      if (terminal.options.fontSize !== font) terminal.options.fontSize = font;
    }
    if (this.#history !== undefined) this.#history.look = this.#historyLook();
    if (fits?.cols === this.#fits?.cols && fits?.rows === this.#fits?.rows) return;
    this.#cursor = { x: -1, y: -1 };
    this.#showCursor();
    const first = this.#fits === undefined;
    this.#fits = fits;
    clearTimeout(this.#resting);
    if (first) this.#offer();
    else this.#resting = setTimeout(() => this.#offer(), RESIZE_REST);
    if (session !== undefined) this.#on.size?.(session, fits);
  }

  /** showCursor pans so that the cursor is in view, once for each of its positions. */
  #showCursor(): void {
    const terminal = this.#terminal;
    if (terminal === undefined || this.#whole || !this.#scaled) return;
    const { cursorX: x, cursorY: y } = terminal.buffer.active;
    if (x === this.#cursor.x && y === this.#cursor.y) return;
    this.#cursor = { x, y };
    const { width, height } = this.#cell(this.#look.fontSize);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#screen;
    const into = (at: number, size: number, from: number, room: number): number => Math.max(at + 2 * size - room, Math.min(from, at - size));
    // Who only looks reads lines from their start.
    const left = this.#o.readOnly ? scrollLeft : into(x * width, width, scrollLeft, clientWidth);
    this.#screen.scrollTo({ left, top: into(y * height, height, scrollTop, clientHeight), behavior: "instant" });
  }

  get #box(): Box {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }

  #cell(font: number): Box {
    return cell(this.#look.fontFamily, font, this.#webgl !== undefined);
  }

  /** font returns the size of the font at which the session fits. */
  #font(): number {
    const box = this.#box;
    if (this.#session === undefined || box.width === 0 || box.height === 0) return this.#look.fontSize;
    return fontFor(this.#session, box, (font) => this.#cell(font), this.#look.fontSize);
  }

  /** offer tells the server which size the session gets when this view leads. */
  #offer(): void {
    const when = this.#o.size ?? "typing";
    if (this.#fits !== undefined && !this.#o.readOnly && (when === "typing" || this.#asked)) this.#client.resize(this.#fits);
  }

  #changed(state: State): void {
    if (state.is !== "attached") this.#questions?.ended(state.is !== "ended");
    if (state.is === "ended" || state.is === "waiting") this.#sized.resolve();
    if (state.is === "attached") {
      this.#paint.forget(); // of the last connection
      if (this.#over !== undefined) {
        this.#over = undefined;
        this.returnToScreen();
      }
    }
    this.#note.connection(state, this.#client);
    this.#on.state?.(state);
  }
}
