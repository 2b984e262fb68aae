import type { Clock } from "./data/link";

/** clock is the time of the page. */
export const clock: Clock = {
  now: () => performance.now(),
  later(ms, f) {
    const timer = setTimeout(f, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};
