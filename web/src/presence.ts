// Coordination with the other tabs of the session.

import type { TabMessage, WorkerMessage } from "./tabmessages";

const ANSWER_TIMEOUT = 2000; // milliseconds; without an answer from the worker the page opens

/** PresenceEvents are what a tab learns of the others. */
export interface PresenceEvents {
  /** show is called when this tab is to show the session. */
  show(): void;
  /** wait is called while other tabs show it, and when they have closed: with how many there are. */
  wait(tabs: number): void;
  /** front asks this tab to come to the front. */
  front(): void;
}

/** Presence is what a tab says to the others. */
export interface Presence {
  /** join asks to show the session. */
  join(): void;
  /** front asks the tab that shows the session to come to the front. */
  front(): void;
}

/** presence joins the tabs of a session by the worker that they share. A polite tab waits while another one shows it. */
export function presence(session: string, polite: boolean, events: PresenceEvents): Presence {
  let waits = polite;
  let worker: SharedWorker;
  const show = (): void => {
    waits = false;
    events.show();
  };
  try {
    // Other messages need another name: a worker outlives an update with its tabs.
    worker = new SharedWorker("/worker.js", { name: `ui tabs ${session}` });
  } catch {
    show(); // there are none, or they are not allowed, as in some frames
    return { join: show, front: () => {} };
  }
  const post = (message: TabMessage): void => worker.port.postMessage(message);
  const lock = hold();
  let late: ReturnType<typeof setTimeout> | undefined;
  const join = async (): Promise<void> => {
    const name = await lock;
    post({ type: "join", polite: waits, lock: name });
    clearTimeout(late);
    late = setTimeout(() => {
      post({ type: "join", polite: false, lock: name }); // in case the worker is only slow
      show();
    }, ANSWER_TIMEOUT);
  };
  worker.onerror = show; // it could not be loaded
  worker.port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.type === "front") return events.front();
    clearTimeout(late);
    if (data.shows) show();
    else if (waits) events.wait(data.tabs);
  };
  window.addEventListener("pagehide", () => post({ type: "leave" }));
  // A page restored by the Back button continues as before.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void join();
  });
  void join();
  return { join: () => void join(), front: () => post({ type: "front" }) };
}

/** hold takes a lock until the page closes, so that the worker learns when that happens. */
function hold(): Promise<string | null> {
  if (navigator.locks === undefined) return Promise.resolve(null);
  const name = `ui tab ${crypto.randomUUID()}`;
  return new Promise((held) => {
    navigator.locks
      .request(name, () => {
        held(name);
        return new Promise<never>(() => {});
      })
      .catch(() => held(null));
  });
}
