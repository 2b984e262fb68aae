// Desktop notifications. A frame may not show them, so the page around it does, which does not know
// what is asked.

import { allowNotifications, notify, permission } from "../notify";

/** Notices shows at most one notification. */
export class Notices {
  #clear: (() => void) | undefined;
  #asked = false;

  /** canAsk reports whether the person can be asked to allow notifications: once in a page. */
  get canAsk(): boolean {
    return !this.#asked && permission() === "default";
  }

  /** ask asks the person to allow notifications. The person must have just used the page. */
  async ask(): Promise<void> {
    if (!this.canAsk) return;
    this.#asked = true;
    await allowNotifications();
  }

  /** show calls a person who looks elsewhere. */
  show(): void {
    if (document.hasFocus()) return;
    this.clear();
    this.#clear = notify("Your agent has a question.", { tag: "ui-question", silent: true });
  }

  clear(): void {
    this.#clear?.();
    this.#clear = undefined;
  }
}
