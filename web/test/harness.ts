// A minimal test runner. units_test.go builds the tests into one script, runs it in one page, and
// reports each test by its name.

/** Result is the outcome of one test; error is absent when it passed. */
export interface Result {
  readonly name: string;
  readonly error?: string;
}

const results: Result[] = [];

/** test runs body now and records its outcome. Names are unique: "file: what holds". */
export function test(name: string, body: () => void): void {
  try {
    body();
    results.push({ name });
  } catch (error) {
    results.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
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

/** finish publishes the results. */
export function finish(): void {
  window.unitResults = results;
}
