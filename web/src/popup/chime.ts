// The sound that announces a question, and the bell of a terminal.

import { store, stored } from "../storage";

const MUTED = "ui-popup-muted";
const ALONE = 2000; // milliseconds in which no other tab chimes for the same question
const PAUSE = 700; // milliseconds that a chime takes: programs may ring at any pace

let last = -Infinity; // when it was last played

/** isMuted reports whether the person has silenced the chime. */
export function isMuted(): boolean {
  return stored("localStorage", MUTED) === "true";
}

export function setMuted(muted: boolean): void {
  store("localStorage", MUTED, String(muted));
}

/** once calls ring in only one of the tabs that have the question. */
export async function once(id: string, ring: () => void): Promise<void> {
  try {
    await navigator.locks.request(`ui-popup ${id}`, { ifAvailable: true }, async (lock) => {
      if (lock === null) return;
      ring();
      await new Promise((done) => setTimeout(done, ALONE));
    });
  } catch {
    ring(); // the browser has no locks, or not for frames
  }
}

/** chime plays two soft tones. Browsers stay silent until the person has used the page. */
export function chime(): void {
  if (performance.now() - last < PAUSE) return;
  last = performance.now();
  try {
    const audio = new AudioContext();
    const start = audio.currentTime;
    for (const [i, frequency] of [659.25, 880].entries()) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const at = start + i * 0.16;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(0.08, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.55);
      if (i === 1) tone.onended = () => void audio.close();
    }
  } catch {
    // A machine without sound has other ways to call.
  }
}
