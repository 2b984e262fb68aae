// A minimal test runner. units_test.go builds the tests into one script, runs it in one page, and
// reports each test by its name.

/** Result is the outcome of one test; error is absent when it passed. */
export interface Result {
  readonly name: string;
  readonly error?: string;
}

const results: Result[] = [];
const later: [name: string, body: () => Promise<void>][] = [];
const LIMIT = 20_000; // milliseconds of an asynchronous test

/** test runs body now and records its outcome. Names are unique: "file: what holds". */
export function test(name: string, body: () => void): void {
  try {
    body();
    results.push({ name });
  } catch (error) {
    results.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** testAsync runs body after all of test's, and after those of earlier calls. */
export function testAsync(name: string, body: () => Promise<void>): void {
  later.push([name, body]);
}

/** equal throws unless got and want have the same JSON. */
export function equal(got: unknown, want: unknown, what = "value"): void {
  const [g, w] = [JSON.stringify(got), JSON.stringify(want)];
  if (g !== w) throw new Error(`${what} is ${g}, want ${w}`);
}

/** throws throws unless body throws an error whose message contains part. */
export function throws(body: () => unknown, part: string): void {
  let got: unknown;
  try {
    got = body();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!message.includes(part)) throw new Error(`error is ${JSON.stringify(message)}, want ${JSON.stringify(part)}`);
    return;
  }
  throw new Error(`no error, but ${JSON.stringify(got)}; want ${JSON.stringify(part)}`);
}

/** random returns a generator of numbers in [0, n) that depends on seed alone. */
export function random(seed: number): (n: number) => number {
  let state = seed * 2654435761 + 1;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % n;
  };
}

declare global {
  interface Window {
    unitResults: readonly Result[];
  }
}

/** finish runs the asynchronous tests, one after another, and publishes the results. */
export async function finish(): Promise<void> {
  for (const [name, body] of later) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error("the test does not end")), LIMIT)));
    let error: string | undefined;
    await Promise.race([body(), limit]).catch((e: unknown) => (error = e instanceof Error ? (e.stack ?? e.message) : String(e)));
    clearTimeout(timer);
    results.push(error === undefined ? { name } : { name, error });
  }
  window.unitResults = results;
}

/** Clock is a clock that stands still until advanced. It replaces the browser's until stop. */
export class Clock {
  readonly #original = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: Date.now, elapsed: performance.now };
  readonly #due = new Map<number, readonly [at: number, run: () => void]>();
  #last = 0;
  now = 0; // milliseconds

  constructor() {
    const set = (run: () => void, delay = 0): number => {
      this.#due.set(++this.#last, [this.now + delay, run]);
      return this.#last;
    };
    globalThis.setTimeout = set as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((id: number) => void this.#due.delete(id)) as typeof clearTimeout;
    Date.now = performance.now = () => this.now;
  }

  /** advance lets time pass, and runs what is due at its time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    await settle();
    while (this.#run(end)) await settle();
    this.now = end;
  }

  /** pass lets time pass, too, but waits for no promises. */
  pass(milliseconds: number): void {
    const end = this.now + milliseconds;
    while (this.#run(end));
    this.now = end;
  }

  /** run runs what is due next until a time, if anything is. */
  #run(end: number): boolean {
    const next = [...this.#due].filter(([, [at]]) => at <= end).sort(([a, [x]], [b, [y]]) => x - y || a - b)[0];
    if (next === undefined) return false;
    const [id, [at, run]] = next;
    this.now = Math.max(this.now, at);
    this.#due.delete(id);
    run();
    return true;
  }

  stop(): void {
    globalThis.setTimeout = this.#original.setTimeout;
    globalThis.clearTimeout = this.#original.clearTimeout;
    Date.now = this.#original.now;
    performance.now = this.#original.elapsed;
  }
}

/** settle resolves when all promises that can be resolved without time passing have been. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
