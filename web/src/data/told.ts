// Which errors of the page the server has been told.

import type { PageError } from "../wire";

/** How many are told on one connection: a page that fails at every frame must not flood the session. */
const LIMIT = 20;

/** How many distinct errors a page knows of at most; those beyond are not told. */
const MEMORY = 200;

/** Told passes on each distinct error once, and no more than LIMIT on one connection. */
export class Told {
  readonly #known = new Set<string>();
  #waiting: PageError[] = []; // came while there was no connection
  #send: ((error: PageError) => void) | undefined; // undefined: there is no connection
  #left = 0; // how many may still go on this connection

  /** tell passes an error on, now or when there is a connection. */
  tell(error: PageError): void {
    const key = JSON.stringify(error);
    if (this.#known.has(key) || this.#known.size >= MEMORY) return;
    this.#known.add(key);
    if (this.#send === undefined) {
      if (this.#waiting.length < LIMIT) this.#waiting.push(error);
    } else if (this.#left > 0) {
      this.#left--;
      this.#send(error);
    }
  }

  /** connected begins a connection, on which send sends. */
  connected(send: (error: PageError) => void): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#left = LIMIT - waiting.length;
    this.#send = send;
    waiting.forEach(send);
  }

  /** lost ends it. */
  lost(): void {
    this.#send = undefined;
  }
}
