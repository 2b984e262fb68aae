// Whether the person is in the middle of something in the page, which a dialog would interrupt.

const TYPING = 2000; // milliseconds after a key in a text field

const TEXTS = new Set(["date", "datetime-local", "email", "month", "number", "password", "search", "tel", "text", "time", "url", "week"]);

/** Busy notes when the person types, and which keys and buttons are held. */
export class Busy {
  #typed = -Infinity; // when the person last typed into a text field
  readonly #held = new Set<string>();
  readonly #changed: () => void;

  /** changed is called when keys or buttons have been released. */
  constructor(changed: () => void) {
    this.#changed = changed;
    const on = <K extends keyof WindowEventMap>(type: K, handle: (event: WindowEventMap[K]) => void): void => {
      window.addEventListener(type, (event) => { if (event.isTrusted) handle(event); }, { capture: true, passive: true });
    };
    on("keydown", (event) => {
      this.#held.add(`key ${event.code}`);
      if (isText(event.composedPath()[0])) this.#typed = performance.now();
    });
    on("keyup", (event) => this.#release(`key ${event.code}`));
    on("pointerdown", (event) => this.#held.add(`pointer ${event.pointerId}`));
    for (const type of ["pointerup", "pointercancel"] as const) on(type, (event) => this.#release(`pointer ${event.pointerId}`));
    // A drag ends without pointerup, and so does what is released elsewhere.
    for (const type of ["dragend", "blur"] as const) {
      on(type, () => {
        this.#held.clear();
        this.#changed();
      });
    }
  }

  /** wait returns for how many milliseconds the person is not to be interrupted: Infinity until changed is called. */
  wait(): number {
    if (this.#held.size > 0) return Infinity;
    return Math.max(0, this.#typed + TYPING - performance.now());
  }

  #release(what: string): void {
    this.#held.delete(what);
    if (this.#held.size === 0) this.#changed();
  }
}

function isText(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return TEXTS.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
