// Errors of the page on their way to the server.

import type { PageError } from "../wire";

/** The most errors sent on one connection: a page that fails in every frame must not flood it. */
const LIMIT = 20;

/** The most distinct errors of one page; further ones are not sent. */
const MEMORY = 200;

/** ErrorReports sends each distinct error once, and at most LIMIT on one connection. */
export class ErrorReports {
  readonly #known = new Set<string>();
  #queued: PageError[] = []; // reported while there was no connection
  #send: ((error: PageError) => void) | undefined; // undefined while there is no connection
  #left = 0; // how many may still be sent on this connection

  /** report sends an error now, or on the next connection. */
  report(error: PageError): void {
    const key = JSON.stringify(error);
    if (this.#known.has(key) || this.#known.size >= MEMORY) return;
    this.#known.add(key);
    if (this.#send === undefined) {
      if (this.#queued.length < LIMIT) this.#queued.push(error);
    } else if (this.#left > 0) {
      this.#left--;
      this.#send(error);
    }
  }

  /** connected starts a connection, which send writes to. */
  connected(send: (error: PageError) => void): void {
    const queued = this.#queued;
    this.#queued = [];
    this.#left = LIMIT - queued.length;
    this.#send = send;
    queued.forEach(send);
  }

  /** lost ends the connection. */
  lost(): void {
    this.#send = undefined;
  }
}
