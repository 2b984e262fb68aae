// What went wrong in the page, for whoever looks: the console, and the list
// window.uiErrors.

/** One thing that went wrong. */
export interface Fault {
  readonly time: number; // milliseconds since the epoch
  readonly where: string; // the template, binding or message concerned
  readonly message: string;
}

const LIMIT = 100; // the oldest go first: an app that fails at each batch must not fill the memory

/** Reports collects faults. The same list stays in use, so that scripts may keep it. */
export class Reports {
  readonly list: Fault[] = [];

  /** add records an error and writes it to the console. It never throws. */
  add(where: string, error: unknown): void {
    this.#push(where, error);
    console.error(`${where}:`, error);
  }

  /** watch records what scripts of the app leave uncaught; the browser itself writes it to the console. */
  watch(target: Window): void {
    target.addEventListener("error", (event) => {
      // This notice of the browser is about a delayed frame, and nobody's fault.
      if (event.error == null && event.message.startsWith("ResizeObserver loop")) return;
      const at = event.filename ? `${event.filename}:${event.lineno}:${event.colno}` : "script";
      this.#push(at, event.error ?? event.message);
    });
    target.addEventListener("unhandledrejection", (event) => this.#push("promise", event.reason));
  }

  #push(where: string, error: unknown): void {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.list.push({ time: Date.now(), where, message });
    if (this.list.length > LIMIT) this.list.splice(0, this.list.length - LIMIT);
  }
}
