// A row of keys that phones lack. Ctrl stays down until the next key.

import { h, on } from "./html";

/** KeyRowEvents are the callbacks of a KeyRow. */
export interface KeyRowEvents {
  /** press presses a key by its DOM name, such as Escape or ArrowUp. */
  press(key: string, ctrl: boolean): void;
  type(text: string): void;
  /** ctrl is called when the Ctrl key is held down or let go. */
  ctrl(down: boolean): void;
}

const KEYS: readonly (readonly [label: string, name: string, key: string])[] = [
  ["Esc", "Esc", "Escape"], ["Tab", "Tab", "Tab"], ["Ctrl", "Ctrl", "Control"],
  ["←", "Left", "ArrowLeft"], ["↓", "Down", "ArrowDown"], ["↑", "Up", "ArrowUp"], ["→", "Right", "ArrowRight"],
  ["|", "Pipe", "|"], ["~", "Tilde", "~"], ["/", "Slash", "/"], ["-", "Minus", "-"],
];

/** KeyRow is the row. It takes no focus, so the phone's keyboard stays. */
export class KeyRow {
  readonly element: HTMLElement;
  readonly #events: KeyRowEvents;
  readonly #control: HTMLButtonElement | undefined;
  #ctrl = false;

  constructor(events: KeyRowEvents) {
    this.#events = events;
    this.element = h("div", { class: "keyrow", role: "toolbar", "aria-label": "Keys" });
    for (const [label, name, key] of KEYS) {
      const button = h("button", { type: "button", "aria-label": name, ...(key === "Control" ? { "aria-pressed": "false" } : {}) }, label);
      on(button, "pointerdown", (event) => event.preventDefault()); // keeps the focus where it is
      on(button, "click", () => this.#press(key));
      this.element.append(button);
      if (key === "Control") this.#control = button;
    }
  }

  /** release lets Ctrl go, after a key of the phone's keyboard was pressed with it. */
  release(): void {
    if (this.#ctrl) this.#hold(false);
  }

  #press(key: string): void {
    if (key === "Control") {
      this.#hold(!this.#ctrl);
      return;
    }
    if (key.length > 1 || this.#ctrl) this.#events.press(key, this.#ctrl);
    else this.#events.type(key);
    this.release();
  }

  #hold(down: boolean): void {
    this.#ctrl = down;
    this.#control?.setAttribute("aria-pressed", String(down));
    this.#events.ctrl(down);
  }
}
