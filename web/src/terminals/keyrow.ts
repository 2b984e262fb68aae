// A row of keys that phones lack. Ctrl stays down until the next key.

import { h, on } from "./html";

const KEYS: readonly (readonly [label: string, name: string, key: string])[] = [
  ["Esc", "Esc", "Escape"], ["Tab", "Tab", "Tab"], ["Ctrl", "Ctrl", "Control"],
  ["←", "Left", "ArrowLeft"], ["↓", "Down", "ArrowDown"], ["↑", "Up", "ArrowUp"], ["→", "Right", "ArrowRight"],
  ["|", "Pipe", "|"], ["~", "Tilde", "~"], ["/", "Slash", "/"], ["-", "Minus", "-"],
];

/** KeyRow is the row. It takes no focus, so the phone's keyboard stays. */
export class KeyRow {
  readonly element = h("div", { class: "keyrow", role: "toolbar", "aria-label": "Keys" });
  readonly #ctrl = h("button", { type: "button", "aria-label": "Ctrl", "aria-pressed": "false" }, "Ctrl");

  /** press presses a key by its DOM name, such as Escape or ArrowUp. */
  constructor(press: (key: string, ctrl: boolean) => void) {
    for (const [label, name, key] of KEYS) {
      const isCtrl = key === "Control";
      const button = isCtrl ? this.#ctrl : h("button", { type: "button", "aria-label": name }, label);
      on(button, "pointerdown", (event) => event.preventDefault()); // keeps the focus where it is
      on(button, "click", () => (isCtrl ? this.#hold(!this.#held) : press(key, this.takeCtrl())));
      this.element.append(button);
    }
  }

  get #held(): boolean {
    return this.#ctrl.ariaPressed === "true";
  }

  /** takeCtrl reports whether Ctrl is held down for the next key, and lets it go. */
  takeCtrl(): boolean {
    const held = this.#held;
    if (held) this.#hold(false);
    return held;
  }

  #hold(down: boolean): void {
    this.#ctrl.ariaPressed = String(down);
  }
}
