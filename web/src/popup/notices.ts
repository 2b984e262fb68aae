// Desktop notifications. A frame may not show them, so the page around it does, which does not know
// what is asked.

/** Notices shows at most one notification. */
export class Notices {
  #note: Notification | undefined;
  #asked = false;

  /** canAsk reports whether the person can be asked to allow notifications: once in a page. */
  get canAsk(): boolean {
    return !this.#asked && typeof Notification !== "undefined" && Notification.permission === "default";
  }

  /** ask asks the person to allow notifications. The person must have just used the page. */
  async ask(): Promise<void> {
    if (!this.canAsk) return;
    this.#asked = true;
    await Notification.requestPermission();
  }

  /** show calls a person who looks elsewhere. */
  show(): void {
    if (typeof Notification === "undefined" || Notification.permission !== "granted" || document.hasFocus()) return;
    this.clear();
    try {
      const note = new Notification("Your agent has a question.", { tag: "ui-question", silent: true });
      note.onclick = () => {
        window.focus();
        note.close();
      };
      this.#note = note;
    } catch {
      // Some browsers require a service worker. There are the title and the chime.
    }
  }

  clear(): void {
    this.#note?.close();
    this.#note = undefined;
  }
}
