// What went wrong in the page, for whoever looks: the console, the list
// window.uiErrors, and the session, which keeps it among its problems.

import { placeOf, type Place } from "./source";
import type { PageError } from "./wire";

/** One thing that went wrong. */
export interface Fault {
  readonly time: number; // milliseconds since the epoch
  readonly where: string; // the template, binding or message concerned
  readonly message: string;
}

const LIMIT = 100; // the oldest go first: an app that fails at each batch must not fill the memory
const LONGEST = 2000; // characters of a message that is told to the session

/** Reports collects faults. The same list stays in use, so that scripts may keep it. */
export class Reports {
  readonly list: Fault[] = [];
  readonly #tell: (error: PageError) => void;
  #running: string | undefined; // what runs now

  /** tell passes an error on to the session. */
  constructor(tell: (error: PageError) => void) {
    this.#tell = tell;
  }

  /** add records an error, tells the session and writes it to the console. It never throws. */
  add(where: string, error: unknown): void {
    const message = this.#push(where, error);
    const stack = error instanceof Error ? placeOf(error.stack ?? "") : undefined;
    this.#pass(message, { source: where, ...stack });
    console.error(`${where}:`, error);
  }

  /** during runs something, and says of errors that come uncaught meanwhile that they are from source. */
  during(source: string, run: () => void): void {
    this.#running = source;
    try {
      run();
    } finally {
      this.#running = undefined;
    }
  }

  /** answered records what the session itself has said, which it need not be told. */
  answered(message: string): void {
    this.#push("server", message);
    console.error("server:", message);
  }

  /** watch records what scripts of the app leave uncaught; the browser itself writes it to the console. */
  watch(target: Window): void {
    target.addEventListener("error", ({ error, message, filename, lineno, colno }) => {
      // This notice of the browser is about a delayed frame, and nobody's fault.
      if (error == null && message.startsWith("ResizeObserver loop")) return;
      const at = filename ? `${filename}:${lineno}:${colno}` : "script";
      const text = this.#push(at, error ?? message);
      this.#pass(text, placeOf(at) ?? (this.#running ? { source: this.#running } : { file: pathOf(filename), line: lineno }));
    });
    target.addEventListener("unhandledrejection", ({ reason }) => {
      const text = this.#push("promise", reason);
      this.#pass(text, placeOf(reason instanceof Error ? (reason.stack ?? "") : "") ?? { source: "promise" });
    });
  }

  #push(where: string, error: unknown): string {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.list.push({ time: Date.now(), where, message });
    if (this.list.length > LIMIT) this.list.splice(0, this.list.length - LIMIT);
    return message;
  }

  #pass(message: string, { file, line, source }: Place): void {
    this.#tell({
      type: "error",
      message: message === "" ? "an error without a message" : message.length > LONGEST ? message.slice(0, LONGEST) + "…" : message,
      ...(file ? { file } : {}),
      ...(line ? { line } : {}),
      ...(source ? { source } : {}),
    });
  }
}

/** pathOf shortens an address of our own server to its path. */
function pathOf(address: string): string {
  return address.startsWith(location.origin) ? address.slice(location.origin.length) : address;
}
