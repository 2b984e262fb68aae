// The surface for questions beside a page's own content, in the same document.

import { Busy } from "./host/busy";
import type { Mode } from "./link";
import type { Surface, Wanted } from "./surface";

/** BesideEvents are what the page does for the questions. */
export interface BesideEvents {
  /** waiting is called with how many questions wait. */
  waiting?(count: number): void;
  /** call calls the person, who may look elsewhere. */
  call?(): void;
}

/** Beside lets questions cover the page, when the person is not busy in it. */
export class Beside implements Surface {
  readonly address = location.href;
  readonly canNotify = false; // the page has its own settings for that
  readonly #events: BesideEvents;
  readonly #busy: Busy;
  #wanted: Pick<Wanted, "mode" | "asked"> = { mode: "none", asked: false };
  mode: Mode = "none";

  constructor(changed: () => void, events: BesideEvents) {
    this.#events = events;
    const update = (): void => {
      const before = this.mode;
      this.#grant();
      if (this.mode !== before) changed();
    };
    this.#busy = new Busy(update);
    document.addEventListener("close", update, { capture: true }); // a dialog of the page
  }

  want(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#grant();
    this.#events.waiting?.(wanted.waiting);
  }

  call(): void {
    this.#events.call?.();
  }

  #grant(): void {
    const { mode, asked } = this.#wanted;
    this.mode = this.#busy.grant(mode, asked, this.mode);
    if (this.mode === "dialog" && document.querySelector("dialog:modal") !== null) this.mode = "corner";
  }
}
