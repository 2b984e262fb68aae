// The player of recordings: a dialog with a terminal that nobody can type into, and its controls.

import { fontFor } from "../terminal/data/fit";
import { cell } from "../terminal/cell";
import { openTerminal, restyle } from "../terminal/open";
import type { Look } from "../terminal/options";
import type { Terminal, XtermModule } from "../terminal/xterm";
import { complain } from "./api";
import type { Source } from "./casts";
import { readCast, type Cast } from "./data/cast";
import { clock, Playback, SPEEDS } from "./data/playback";
import { check, select } from "./dialogs";
import { h, icon, on, setText, tool } from "./html";
import { xterm } from "./look";

/** Milliseconds by which the arrow keys seek. */
const STEP = 5000;
/** Characters that are written to the terminal at a time, so that the page stays usable meanwhile. */
const CHUNK = 128 << 10;

/** Player is a dialog that plays a recording. */
export class Player {
  readonly #source: Source;
  #look: Look;
  readonly #dialog: HTMLDialogElement;
  readonly #about = h("span", { class: "about" });
  readonly #box = h("div", { class: "cast-terminal" });
  readonly #stateText = h("p", { role: "status" });
  readonly #again = on(h("button", { type: "button" }, "Try again"), "click", () => void this.#start());
  readonly #state = h("div", { class: "cast-state" }, this.#stateText, this.#again);
  readonly #toggle = on(h("button", { type: "button", class: "tool play", "aria-label": "Play" }, icon("play")), "click", () => this.#playOrPause());
  readonly #seek = h("input", { type: "range", min: "0", max: "0", step: "1", value: "0", "aria-label": "Position" });
  readonly #time = h("span", { class: "time" });
  readonly #speed = select(SPEEDS.map((speed) => [String(speed), `${speed}×`] as const), "1", (speed) => this.#playback.setSpeed(Number(speed)));
  readonly #resizes = new ResizeObserver(() => this.#fit());
  #ends = new AbortController();
  #cast: Cast | undefined; // once it is read
  #playback = new Playback([], 0);
  #short = false; // pauses are shortened
  #terminal: Terminal | undefined;
  #rewinds = false; // the terminal is to be drawn again from the start
  #drawing = false;
  #frame = 0;
  #size = { cols: 80, rows: 24 };

  constructor(source: Source, look: Look) {
    this.#source = source;
    this.#look = look;
    const heading = h("h2", { id: "player-title" }, source.title);
    on(this.#seek, "input", () => this.#goTo(Number(this.#seek.value)));
    this.#speed.setAttribute("aria-label", "Speed");
    const short = check("Shorten pauses", false, (checked) => {
      this.#short = checked;
      this.#playback.shorten(checked);
      this.#show();
    });
    const { save } = source;
    const download = save === undefined ? undefined : tool("download", "Download", () => void save().catch((error: unknown) => this.#fail(error, false)));
    this.#dialog = h(
      "dialog", { class: "player", "aria-labelledby": heading.id },
      h("header", {}, heading, this.#about, download, tool("close", "Close", () => this.#dialog.close(), "Esc")),
      h("div", { class: "cast" }, this.#box, this.#state),
      h("footer", {}, this.#toggle, this.#seek, this.#time, this.#speed, short),
    );
    this.#dialog.dataset["palette"] = look.palette;
    on(this.#dialog, "keydown", (event) => this.#key(event));
    on(this.#dialog, "close", () => this.#close());
  }

  /** open displays the player and starts to play. Closing it ends it. */
  open(): void {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#toggle.focus();
    this.#resizes.observe(this.#box);
    void this.#start();
    const next = (now: number): void => {
      this.#frame = requestAnimationFrame(next);
      if (!this.#playback.playing) return;
      this.#playback.advance(now);
      this.#show();
      void this.#draw();
    };
    this.#frame = requestAnimationFrame(next);
  }

  /** look changes how the terminal looks. */
  set look(look: Look) {
    this.#look = look;
    this.#dialog.dataset["palette"] = look.palette;
    if (this.#terminal !== undefined) restyle(this.#terminal, look);
    this.#fit();
  }

  #close(): void {
    cancelAnimationFrame(this.#frame);
    this.#ends.abort();
    this.#resizes.disconnect();
    this.#terminal?.dispose();
    this.#terminal = undefined;
    this.#dialog.remove();
  }

  /** #start reads the recording, and plays it. */
  async #start(): Promise<void> {
    this.#ends.abort();
    const { signal } = (this.#ends = new AbortController());
    this.#say("Loading…");
    try {
      const [module, file] = await Promise.all([xterm.terminal(), this.#source.read(signal)]);
      const cast = readCast(await file.text());
      if (signal.aborted) return;
      this.#cast = cast;
      this.#playback = new Playback(cast.events, cast.length);
      this.#playback.setSpeed(Number(this.#speed.value));
      this.#playback.shorten(this.#short);
      const when = cast.start === undefined ? "" : new Date(cast.start).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      setText(this.#about, [when, `${cast.cols}×${cast.rows}`].filter((part) => part !== "").join(" · "));
      this.#mount(module, cast);
      this.#playback.play(performance.now());
      this.#say(cast.events.length === 0 ? "Nothing was recorded: the program wrote nothing." : "");
    } catch (error) {
      if (!signal.aborted) this.#fail(error, true);
    }
    this.#show();
  }

  #mount(module: XtermModule, { cols, rows }: Cast): void {
    this.#terminal?.dispose();
    this.#size = { cols, rows };
    const terminal = openTerminal(module, this.#box, this.#look, { fontSize: this.#look.fontSize, disableStdin: true, cols, rows });
    if (terminal.textarea !== undefined) terminal.textarea.tabIndex = -1; // there is nothing to type into
    terminal.attachCustomKeyEventHandler(() => false);
    this.#terminal = terminal;
    this.#fit();
  }

  #fit(): void {
    const box = { width: this.#box.clientWidth, height: this.#box.clientHeight };
    if (this.#terminal === undefined || box.width === 0 || box.height === 0) return;
    const font = fontFor(this.#size, box, (size) => cell(this.#look.fontFamily, size, false), Math.max(this.#look.fontSize, 24));
    if (this.#terminal.options.fontSize !== font) this.#terminal.options.fontSize = font;
  }

  /** #draw writes what is due to the terminal, in pieces. */
  async #draw(): Promise<void> {
    if (this.#drawing) return;
    this.#drawing = true;
    try {
      for (;;) {
        const [terminal, cast] = [this.#terminal, this.#cast];
        if (terminal === undefined || cast === undefined) return;
        if (this.#rewinds) {
          this.#rewinds = false;
          terminal.reset();
          this.#resize(terminal, cast.cols, cast.rows);
        }
        if (!this.#playback.behind) return;
        let output = "";
        for (const event of this.#playback.take(CHUNK)) {
          if ("output" in event) {
            output += event.output;
            continue;
          }
          await write(terminal, output);
          output = "";
          this.#resize(terminal, event.cols, event.rows);
        }
        await write(terminal, output);
      }
    } finally {
      this.#drawing = false;
    }
  }

  #resize(terminal: Terminal, cols: number, rows: number): void {
    if (terminal !== this.#terminal || (cols === this.#size.cols && rows === this.#size.rows)) return;
    this.#size = { cols, rows };
    terminal.resize(cols, rows);
    this.#fit();
  }

  #goTo(position: number): void {
    if (this.#playback.seek(position)) this.#rewinds = true;
    this.#show();
    void this.#draw();
  }

  #playOrPause(): void {
    if (this.#cast === undefined) return;
    if (this.#playback.playing) this.#playback.pause();
    else if (this.#playback.play(performance.now())) this.#rewinds = true;
    this.#show();
  }

  /** #show displays the state of the playback in the controls. */
  #show(): void {
    const { position, length, playing } = this.#playback;
    const label = playing ? "Pause" : "Play";
    if (this.#toggle.ariaLabel !== label) {
      this.#toggle.ariaLabel = this.#toggle.title = label;
      this.#toggle.replaceChildren(icon(playing ? "pause" : "play"));
    }
    this.#seek.disabled = this.#cast === undefined;
    this.#seek.max = String(Math.ceil(length));
    this.#seek.value = String(Math.round(position));
    const text = `${clock(position, length)} / ${clock(length)}`;
    setText(this.#time, text);
    this.#seek.setAttribute("aria-valuetext", text.replace("/", "of"));
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { target } = event;
    const inSelect = target instanceof HTMLSelectElement;
    const onButton = (target instanceof HTMLButtonElement && target !== this.#toggle) || (target instanceof HTMLInputElement && target.type === "checkbox");
    const { position, length } = this.#playback;
    switch (event.key) {
      case " ":
        if (inSelect || onButton) return;
        if (!event.repeat) this.#playOrPause();
        break;
      case "ArrowLeft":
      case "ArrowRight":
        if (inSelect) return;
        this.#goTo(position + (event.key === "ArrowLeft" ? -STEP : STEP));
        break;
      case "Home":
      case "End":
        if (inSelect) return;
        this.#goTo(event.key === "Home" ? 0 : length);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #say(text: string): void {
    this.#state.hidden = text === "";
    this.#again.hidden = true;
    setText(this.#stateText, text);
  }

  /** #fail says that something has failed. */
  #fail(error: unknown, again: boolean): void {
    this.#say(complain(error));
    this.#again.hidden = !again;
  }
}

/** write resolves when the terminal has drawn a text. */
function write(terminal: Terminal, text: string): Promise<void> {
  return text === "" ? Promise.resolve() : new Promise((done) => terminal.write(new TextEncoder().encode(text), done));
}
