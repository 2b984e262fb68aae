// The surface on which questions are displayed: a page of their own, or a frame in an app's page.

import { here } from "../focus";
import { fromPage, type FromFrame, type FromPage, type Mode } from "./link";
import { Notices } from "./notices";
import { Title } from "./title";

/** Wanted is what the questions want from the page. */
export type Wanted = Omit<FromFrame, "type" | "called" | "notify">;

/** Surface is the part of a page that the questions have. */
export interface Surface {
  /** mode is what is granted now. */
  readonly mode: Mode;
  /** canNotify reports whether the person can be asked to allow notifications. */
  readonly canNotify: boolean;
  /** address is a page of nothing but questions, for a person who cannot see all of them here. */
  readonly address: string;
  /** want replaces what was wanted before. It is granted at once, or later: then changed is called. */
  want(wanted: Wanted): void;
  /** call calls the person, who may look elsewhere. */
  call?(): void;
  /** askToNotify asks the person to allow notifications. */
  askToNotify?(): void;
}

/** WholePage is a page with nothing but questions. It grants everything. */
export class WholePage implements Surface {
  readonly #changed: () => void;
  readonly #title = new Title();
  readonly #notices = new Notices();
  readonly address: string = location.href;
  mode: Mode = "none";

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** focused reports whether the person looks at the page. */
  get focused(): boolean {
    return here();
  }

  get canNotify(): boolean {
    return this.#notices.canAsk;
  }

  want({ mode, waiting }: Wanted): void {
    this.#title.count(waiting);
    if (waiting === 0) this.#notices.clear();
    this.mode = mode;
  }

  call(): void {
    this.#notices.show();
  }

  askToNotify(): void {
    void this.#notices.ask().finally(() => this.#changed());
  }
}

/** Frame is a frame in a page of an app, which decides how much of it the frame covers. */
export class Frame implements Surface {
  readonly #origin: string; // of the page
  readonly address = location.href;
  #wanted: Wanted = { mode: "none", asked: false, focus: false, width: 0, height: 0, waiting: 0 };
  #granted: FromPage = { type: "ui-question", mode: "none", dark: false, focused: false, canNotify: false };
  #called = 0;
  #sent = "";

  /** origin is the page's; messages of others are ignored. changed is called when the page has granted something. */
  constructor(origin: string, changed: () => void) {
    this.#origin = origin;
    window.addEventListener("message", (event) => {
      if (event.source !== window.parent || event.origin !== origin) return;
      try {
        this.#granted = fromPage(event.data);
      } catch {
        return; // a message of something else in the page
      }
      // The colours of frame and page must match, or browsers paint a background behind the frame.
      document.documentElement.style.colorScheme = this.#granted.dark ? "dark" : "light";
      changed();
    });
  }

  get mode(): Mode {
    return this.#granted.mode;
  }

  /** focused reports whether the person looks at the page. */
  get focused(): boolean {
    return document.visibilityState === "visible" && (document.hasFocus() || this.#granted.focused);
  }

  get canNotify(): boolean {
    return this.#granted.canNotify;
  }

  want(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#post();
  }

  call(): void {
    this.#called++;
    this.#post();
  }

  askToNotify(): void {
    this.#post(true);
  }

  #post(notify = false): void {
    const message: FromFrame = { type: "ui-question", ...this.#wanted, called: this.#called, notify };
    const text = JSON.stringify(message);
    if (text === this.#sent) return;
    this.#sent = notify ? "" : text; // the person may ask again
    window.parent.postMessage(text, this.#origin);
  }
}
