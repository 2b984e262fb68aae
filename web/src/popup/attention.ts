// Calls the person's attention: a number in the tab's title, a chime, a desktop notification.

import type { Question } from "./wire";

const MUTED = "ui-popup-muted";
const MARK = /^\(\d+\) /;

/** Attention calls the person by the means that they allow. */
export class Attention {
  #count = 0;
  readonly #notes = new Map<string, Notification>();

  constructor() {
    // When an app changes the title, the number must be added again.
    new MutationObserver(() => this.#title()).observe(document.head, { childList: true, subtree: true, characterData: true });
  }

  get muted(): boolean {
    try {
      return localStorage.getItem(MUTED) === "true";
    } catch {
      return false;
    }
  }

  set muted(muted: boolean) {
    try {
      localStorage.setItem(MUTED, String(muted));
    } catch {
      // without storage the setting cannot be kept
    }
  }

  /** count shows the number of open questions in the title. */
  count(n: number): void {
    this.#count = n;
    this.#title();
  }

  #title(): void {
    const bare = document.title.replace(MARK, "");
    const title = this.#count > 0 ? `(${this.#count}) ${bare}` : bare;
    if (document.title !== title) document.title = title;
  }

  /** call announces a new question. A lock ensures that only one of several tabs chimes. */
  async call(question: Question): Promise<void> {
    const ring = async (): Promise<void> => {
      if (!this.muted) chime();
      this.#notify(question);
      await new Promise((done) => setTimeout(done, 2000));
    };
    if (navigator.locks === undefined) return ring();
    await navigator.locks.request(`ui-popup ${question.id}`, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await ring();
    });
  }

  /** canAsk reports whether the person can be asked to allow notifications. */
  get canAsk(): boolean {
    return typeof Notification !== "undefined" && Notification.permission === "default";
  }

  async ask(): Promise<void> {
    await Notification.requestPermission();
  }

  #notify(question: Question): void {
    if (typeof Notification === "undefined" || Notification.permission !== "granted" || document.hasFocus()) return;
    const note = new Notification(question.title, { tag: question.id, body: "Your agent has a question.", silent: true });
    note.onclick = () => {
      window.focus();
      note.close();
    };
    this.#notes.set(question.id, note);
  }

  /** done removes the notification of a question. */
  done(id: string): void {
    this.#notes.get(id)?.close();
    this.#notes.delete(id);
  }
}

/** chime plays two soft tones. Browsers stay silent until the person has used the page. */
function chime(): void {
  try {
    const audio = new AudioContext();
    const start = audio.currentTime;
    for (const [i, frequency] of [659.25, 880].entries()) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const at = start + i * 0.16;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(0.08, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.55);
      if (i === 1) tone.onended = () => void audio.close();
    }
  } catch {
    // A machine without sound has other pathsTo to be noticed.
  }
}
