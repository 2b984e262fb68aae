// Bringing this tab to the person's attention, as far as the browser allows.

import { here } from "../focus";
import { notify } from "../notify";

const BLINK = 1000; // milliseconds

/** Foreground requests the focus, notifies, and blinks the title until the person is in this tab. */
export class Foreground {
  readonly #session: string;
  #end: (() => void) | undefined;

  constructor(session: string) {
    this.#session = session;
  }

  request(): void {
    notify(`Session ${this.#session} is already active in another tab.`, { tag: `ui session ${this.#session}`, body: "Click here to go to that tab." });
    window.focus();
    this.#end?.();
    if (here()) return;
    const title = document.title;
    const marked = `● ${title}`;
    const timer = setInterval(() => {
      document.title = document.title === title ? marked : title;
    }, BLINK);
    document.title = marked;
    const look = (): void => {
      if (here()) this.#end?.();
    };
    this.#end = () => {
      this.#end = undefined;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", look);
      if (document.title === marked) document.title = title; // unless the app changed it
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
  }
}
