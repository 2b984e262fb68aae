// The playback of a recording: which event is due when. It keeps no clock: times are parameters, in
// milliseconds.

import type { Event } from "./cast";

/** SPEEDS are how fast a recording can be played. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** Milliseconds to which longer pauses are shortened. */
const SHORT_PAUSE = 1000;

/** Playback plays events. Its position is a time on its own scale, on which pauses may be shortened. */
export class Playback {
  readonly #events: readonly Event[];
  #due: number[] = []; // when each event is due on the scale
  #length = 0; // of the recording on the scale, which may go on after the last event
  readonly #end: number; // of the recording in its own time
  #short = false;
  #position = 0;
  #next = 0; // the first event that has not been taken
  #speed = 1;
  #playing = false;
  #then: number | undefined; // when the position was last computed

  /** end is the time of the end of the recording. */
  constructor(events: readonly Event[], end: number) {
    this.#events = events;
    this.#end = end;
    this.#arrange();
  }

  get position(): number {
    return this.#position;
  }

  get length(): number {
    return this.#length;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Whether everything has been played. */
  get over(): boolean {
    return this.#position >= this.#length && this.#next >= this.#events.length;
  }

  /** arrange computes when each event is due. */
  #arrange(): void {
    let [due, at] = [0, 0];
    this.#due = this.#events.map((event) => {
      due += this.#pause(event.at - at);
      at = event.at;
      return due;
    });
    this.#length = due + this.#pause(this.#end - at);
  }

  #pause(ms: number): number {
    return Math.max(0, this.#short ? Math.min(ms, SHORT_PAUSE) : ms);
  }

  /** shorten says whether longer pauses are shortened. The position stays at the same event. */
  shorten(short: boolean): void {
    if (short === this.#short) return;
    const before = this.#due[this.#next - 1] ?? 0;
    const since = this.#position - before;
    this.#short = short;
    this.#arrange();
    this.#position = Math.min((this.#due[this.#next - 1] ?? 0) + this.#pause(since), this.#due[this.#next] ?? this.#length);
  }

  /** play goes on from the position, or from the start at the end. It reports whether that is a seek. */
  play(now: number): boolean {
    const again = this.over && this.#length > 0;
    if (again) this.seek(0);
    this.#playing = true;
    this.#then = now;
    return again;
  }

  pause(): void {
    this.#playing = false;
    this.#then = undefined;
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
  }

  /**
   * seek moves the position, and reports whether that is backwards: then the events are to be drawn
   * again from the first one.
   */
  seek(position: number): boolean {
    const to = Math.min(Math.max(0, position), this.#length);
    const back = to < this.#position;
    this.#position = to;
    if (back) this.#next = 0;
    return back;
  }

  /** advance moves the position to the present. */
  advance(now: number): void {
    if (!this.#playing) return;
    const passed = Math.max(0, now - (this.#then ?? now));
    this.#then = now;
    this.#position = Math.min(this.#length, this.#position + passed * this.#speed);
    if (this.#position >= this.#length) this.pause();
  }

  /** take returns the events that are due and were not taken, up to the one that reaches most characters. */
  take(most = Infinity): readonly Event[] {
    const first = this.#next;
    for (let size = 0; this.#next < this.#events.length && this.#due[this.#next]! <= this.#position && size < most; this.#next++) {
      const event = this.#events[this.#next]!;
      size += "output" in event ? event.output.length : 1;
    }
    return this.#events.slice(first, this.#next);
  }

  /** Whether events are due that were not taken. */
  get behind(): boolean {
    const due = this.#due[this.#next];
    return due !== undefined && due <= this.#position;
  }
}

/** clock writes a time as minutes and seconds, with hours if whole has some. */
export function clock(ms: number, whole = ms): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return whole >= 3_600_000 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** bytes writes a size. */
export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 ** 2) return `${Math.round(n / 1024)} KiB`;
  return `${(n / 1024 ** 2).toFixed(n < 10 * 1024 ** 2 ? 1 : 0)} MiB`;
}
