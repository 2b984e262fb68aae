// What can wait until the browser is idle.

/** whenIdle acts when the browser is idle, within a second. Safari does not say when that is. */
export function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(act, { timeout: 1000 });
  else setTimeout(act, 200);
}
