// Errors of the page. They go to the console, to the list window.uiErrors, and to the session,
// which keeps them among its problems.

import { positionOf, type Position } from "./source";
import type { PageError } from "./wire";

/** Fault is one recorded error. */
export interface Fault {
  readonly time: number; // milliseconds since the epoch
  readonly where: string; // the template, binding or message concerned
  readonly message: string;
}

const LIMIT = 100; // faults of the list: beyond it the oldest are dropped
const DISTINCT = 200; // errors of one page that are sent: one that fails in every frame must not flood the session

/** Reports collects faults. list is always the same array, so scripts may keep a reference. */
export class Reports {
  readonly list: Fault[] = [];
  readonly #sent = new Set<string>(); // each is sent once
  #queued: PageError[] = []; // reported while there was no connection
  #send: ((error: PageError) => void) | undefined; // undefined while there is no connection
  #running: string | undefined; // the script that is running

  /** add records an error, reports it to the session and logs it. It never throws. */
  add(where: string, error: unknown): void {
    const message = this.#push(where, error);
    const stack = error instanceof Error ? positionOf(error.stack ?? "") : undefined;
    this.#sendToSession(message, { source: where, ...stack });
    console.error(`${where}:`, error);
  }

  /** during calls run, and attributes uncaught errors meanwhile to source. */
  during(source: string, run: () => void): void {
    this.#running = source;
    try {
      run();
    } finally {
      this.#running = undefined;
    }
  }

  /** answered records an error that came from the session. */
  answered(message: string): void {
    this.#push("server", message);
    console.error("server:", message);
  }

  /**
   * watch records uncaught errors of scripts, until signal is aborted. The browser logs those
   * itself.
   */
  watch(target: Window, signal?: AbortSignal): void {
    const options = signal === undefined ? {} : { signal };
    target.addEventListener("error", ({ error, message, filename, lineno, colno }) => {
      // This only says that a frame was delayed.
      if (error == null && message.startsWith("ResizeObserver loop")) return;
      const at = filename ? `${filename}:${lineno}:${colno}` : "script";
      const text = this.#push(at, error ?? message);
      this.#sendToSession(text, positionOf(at) ?? (this.#running ? { source: this.#running } : { file: pathOf(filename), line: lineno }));
    }, options);
    target.addEventListener("unhandledrejection", ({ reason }) => {
      const text = this.#push("promise", reason);
      this.#sendToSession(text, positionOf(reason instanceof Error ? (reason.stack ?? "") : "") ?? { source: "promise" });
    }, options);
  }

  #push(where: string, error: unknown): string {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.list.push({ time: Date.now(), where, message });
    if (this.list.length > LIMIT) this.list.splice(0, this.list.length - LIMIT);
    return message;
  }

  /** connected starts a connection to the session, which send writes to. */
  connected(send: (error: PageError) => void): void {
    this.#send = send;
    this.#queued.splice(0).forEach(send);
  }

  /** lost ends the connection. */
  lost(): void {
    this.#send = undefined;
  }

  #sendToSession(message: string, { file, line, source }: Position): void {
    const error: PageError = {
      type: "error",
      message: message || "an error without a message",
      ...(file ? { file } : {}),
      ...(line ? { line } : {}),
      ...(source ? { source } : {}),
    };
    const key = JSON.stringify(error);
    if (this.#sent.has(key) || this.#sent.size >= DISTINCT) return;
    this.#sent.add(key);
    if (this.#send === undefined) this.#queued.push(error);
    else this.#send(error);
  }
}

/** pathOf shortens a URL of this origin to its path. */
function pathOf(address: string): string {
  return address.startsWith(location.origin) ? address.slice(location.origin.length) : address;
}
