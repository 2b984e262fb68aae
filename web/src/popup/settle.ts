// Keeps input that was meant for something else away from a question.

import { Held } from "./held";

const QUIET = 500; // milliseconds

/** Keys that do nothing in a dialog, or belong to the browser. */
const PASSED = /^(F\d+|Shift|Control|Alt|Meta|CapsLock|NumLock|AltGraph|Dead|Process|Unidentified)$/;

/**
 * Settling drops the person's keys and clicks until what they see has rested: painted and visible
 * for half a second, with no key and no button held, and none pressed meanwhile. A key or a click
 * is dropped as a whole: a button that was pressed too early does nothing when it is released.
 * Events that scripts have made are dropped always. A click in an element with the attribute
 * data-harmless counts always.
 */
export class Settling {
  readonly #changed: (settled: boolean) => void;
  readonly #concerns: (event: Event) => boolean;
  readonly #held = new Held(() => this.#update());
  #settled = false;
  #round = 0; // counts calls of begin
  #painted = Infinity; // when the present sight was painted
  #visible = Infinity; // since when all of it is visible; Infinity while it is not
  #dropped = -Infinity; // when a key or click was last dropped
  #press: boolean | undefined; // whether the click that is being made counts; undefined between clicks
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * changed is called when input begins or ceases to be accepted. concerns reports whether an event
   * is for the questions: others belong to the page, and pass.
   */
  constructor(changed: (settled: boolean) => void, concerns: (event: Event) => boolean) {
    this.#changed = changed;
    this.#concerns = concerns;
    const on = <K extends keyof WindowEventMap>(type: K, handle: (event: WindowEventMap[K]) => void): void => {
      const checked = (event: WindowEventMap[K]): void => {
        if (event.isTrusted) handle(event);
        else if (concerns(event)) drop(event);
      };
      window.addEventListener(type, checked, { capture: true });
    };
    on("keydown", (event) => {
      if (PASSED.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      this.#pressed(event, `key ${event.code}`);
    });
    on("keyup", (event) => this.#released(`key ${event.code}`));
    on("pointerdown", (event) => this.#pressed(event, `pointer ${event.pointerId}`));
    on("mousedown", (event) => {
      if (this.#press === false && concerns(event)) drop(event); // it would move the focus
    });
    for (const type of ["pointerup", "pointercancel"] as const) {
      on(type, (event) => this.#released(`pointer ${event.pointerId}`));
    }
    on("click", (event) => {
      if (!(this.#press ?? this.#settled) && concerns(event)) drop(event);
    });
    for (const type of ["submit", "input", "change"] as const) on(type, () => {});
    // The release of keys that are held now will not be seen.
    window.addEventListener("blur", () => this.#held.clear());
  }

  /** begin drops input from now on until what has just changed has settled. */
  begin(): void {
    const round = ++this.#round;
    this.#painted = Infinity;
    this.#press = this.#held.any ? false : undefined;
    this.#unsettle();
    requestAnimationFrame(() => {
      setTimeout(() => {
        if (round !== this.#round) return;
        this.#painted = performance.now();
        this.#update();
      });
    });
  }

  /** visible sets whether the person can see everything. */
  visible(visible: boolean): void {
    if (visible === this.#visible < Infinity) return;
    this.#visible = visible ? performance.now() : Infinity;
    if (visible) this.#update();
    else this.#unsettle();
  }

  #pressed(event: KeyboardEvent | PointerEvent, what: string): void {
    this.#held.press(what);
    if (!this.#concerns(event)) return;
    this.#press = this.#settled || (event.type === "pointerdown" && isHarmless(event));
    if (this.#press) return;
    drop(event);
    this.#dropped = performance.now();
    this.#update();
  }

  #released(what: string): void {
    this.#held.release(what);
    // The click that a release makes comes before any timer.
    if (!this.#held.any) setTimeout(() => (this.#press = undefined));
  }

  #unsettle(): void {
    this.#settled = false;
    this.#changed(false);
    this.#update();
  }

  /** update accepts input when it is time, or waits until it may be. */
  #update(): void {
    clearTimeout(this.#timer);
    if (this.#settled || this.#held.any) return;
    const wait = Math.max(this.#painted, this.#visible, this.#dropped) + QUIET - performance.now();
    if (wait > 0) {
      if (wait < Infinity) this.#timer = setTimeout(() => this.#update(), wait);
      return;
    }
    this.#settled = true;
    this.#changed(true);
  }
}

/** isHarmless reports whether a click answers nothing wherever it comes from, and so need not wait. */
function isHarmless(event: Event): boolean {
  return event.composedPath().some((e) => e instanceof HTMLElement && e.dataset["harmless"] !== undefined);
}

function drop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
