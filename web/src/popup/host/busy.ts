// Whether the person is in the middle of something in the page, which a dialog would interrupt.

import { isTextField } from "../../textfield";
import { Held } from "../held";
import type { Mode } from "../link";

const TYPING = 2000; // milliseconds after a key in a text field

/** Busy notes when the person types, and which keys and buttons are held. */
export class Busy {
  #typed = -Infinity; // when the person last typed into a text field
  readonly #held: Held;
  readonly #changed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** changed is called when grant may return something else. */
  constructor(changed: () => void) {
    this.#changed = changed;
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

  /**
   * grant returns what questions get that want a mode and have another: the corner instead of a
   * dialog for which the person has not asked, while that would interrupt them.
   */
  grant(wanted: Mode, asked: boolean, now: Mode): Mode {
    clearTimeout(this.#timer);
    if (wanted !== "dialog" || asked || now === "dialog") return wanted;
    if (this.#held.any) return "corner";
    const wait = this.#typed + TYPING - performance.now();
    if (wait <= 0) return wanted;
    this.#timer = setTimeout(this.#changed, wait);
    return "corner";
  }
}
