// Whether the person is in the middle of something in the page, which a dialog would interrupt.

import { isTextField } from "../../textfield";
import { Held } from "../held";

const TYPING = 2000; // milliseconds after a key in a text field

/** Busy notes when the person types, and which keys and buttons are held. */
export class Busy {
  #typed = -Infinity; // when the person last typed into a text field
  readonly #held: Held;

  /** changed is called when keys or buttons have been released. */
  constructor(changed: () => void) {
    this.#held = new Held(() => {
      if (!this.#held.any) changed();
    });
    const on = <K extends keyof WindowEventMap>(type: K, handle: (event: WindowEventMap[K]) => void): void => {
      window.addEventListener(type, (event) => { if (event.isTrusted) handle(event); }, { capture: true, passive: true });
    };
    on("keydown", (event) => {
      this.#held.press(`key ${event.code}`);
      if (isTextField(event.composedPath()[0])) this.#typed = performance.now();
    });
    on("keyup", (event) => this.#held.release(`key ${event.code}`));
    on("pointerdown", (event) => this.#held.press(`pointer ${event.pointerId}`));
    for (const type of ["pointerup", "pointercancel"] as const) on(type, (event) => this.#held.release(`pointer ${event.pointerId}`));
    on("pointermove", (event) => {
      if (!this.#held.any) return;
      if (event.buttons === 0) this.#held.release(`pointer ${event.pointerId}`);
      else this.#held.press(`pointer ${event.pointerId}`);
    });
    // A drag, or a press that is released elsewhere, ends without pointerup.
    for (const type of ["dragend", "blur"] as const) {
      on(type, () => this.#held.clear());
    }
  }

  /** wait returns for how many milliseconds the person is not to be interrupted: Infinity until changed is called. */
  wait(): number {
    if (this.#held.any) return Infinity;
    return Math.max(0, this.#typed + TYPING - performance.now());
  }
}
