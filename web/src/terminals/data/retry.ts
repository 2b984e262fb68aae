// How long to wait before connecting again.

const FIRST = 250; // milliseconds
const LONGEST = 15_000;

/**
 * pause returns the milliseconds to wait before an attempt, the first of which is 0. Pauses double up
 * to 15 seconds. random, from 0 to 1, spreads them, so that many pages do not return all at once.
 */
export function pause(attempt: number, random: number): number {
  const whole = Math.min(LONGEST, FIRST * 2 ** Math.min(attempt, 10));
  return Math.round(whole / 2 + (whole / 2) * random);
}
