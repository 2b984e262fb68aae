// When a picture is on the screen. The server sends the next one then, and counts what the person
// is asked as displayed.

import type { Client } from "./data/client";

/** The name of the mark in the page's timeline when a view displays its first picture. */
const FIRST_PICTURE = "terminal-first-picture";
/** Milliseconds between pictures while nobody can see them. */
const HIDDEN_PAUSE = 500;

/** Paint reports pictures to the server once they are painted. */
export class Paint {
  readonly #client: Client;
  readonly #first: () => void;
  #written = false; // a picture is written, and not yet reported to the server
  #painted = false; // there was a picture
  #unseen = false; // the last picture was reported as hidden
  #inSight = true;
  readonly #pace: number;
  #last = -Infinity; // when a picture was last reported

  /** first is called when the first picture is painted. pace is the least time between two reports, in milliseconds. */
  constructor(client: Client, first: () => void, pace = 0) {
    this.#client = client;
    this.#first = first;
    this.#pace = pace;
  }

  /** written is called when xterm.js has parsed a picture. */
  written(): void {
    this.#written = true;
    this.#report();
  }

  /** forget drops a picture that is not yet reported, since its connection has ended. */
  forget(): void {
    this.#written = false;
  }

  /** scrolled is called when the view has come into the visible part of the page, or left it. */
  scrolled(inSight: boolean): void {
    this.#inSight = inSight;
    this.seen();
  }

  /** seen is called when the person may have begun or ceased to see the page. */
  seen(): void {
    if (this.#hidden) {
      this.#report(); // no frame is painted any more
      return;
    }
    this.#client.hurry();
    if (this.#unseen) {
      this.#unseen = false;
      this.#client.redraw(); // so that what the person is asked counts as displayed
    }
    this.#report();
  }

  get #hidden(): boolean {
    return document.visibilityState === "hidden" || !this.#inSight;
  }

  #report(): void {
    if (!this.#written) return;
    const rest = this.#last + this.#pace - performance.now();
    if (this.#hidden) setTimeout(() => this.#drawn(), HIDDEN_PAUSE);
    else if (rest > 0) setTimeout(() => this.#report(), rest);
    else requestAnimationFrame(() => this.#drawn());
  }

  #drawn(): void {
    if (!this.#written) return;
    this.#written = false;
    if (!this.#painted) {
      this.#painted = true;
      performance.mark(FIRST_PICTURE);
      this.#first();
    }
    this.#last = performance.now();
    this.#unseen = this.#hidden;
    this.#client.drawn(this.#unseen);
  }
}
