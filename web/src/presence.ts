// Coordination with the other tabs of the session.

import type { TabMessage, WorkerMessage } from "./tabmessages";
import type { Answer } from "./data/tabs";

const ANSWER_TIMEOUT = 2000; // milliseconds; without an answer from the worker the page opens

/** PresenceEvents are the callbacks of a Presence that has joined. */
export interface PresenceEvents {
  /** showing gives a waiting tab the number of tabs that show the session now. */
  showing(tabs: number): void;
  /** front asks this tab to come to the front. */
  front(): void;
}

/** Presence talks to the worker that all tabs of a session share. */
export class Presence {
  readonly #port: MessagePort;
  readonly #events: PresenceEvents;
  #answered: ((answer: Answer) => void) | undefined;
  #polite = false; // whether this tab waits for others to close
  #lock: Promise<string | null> | undefined;

  /** open connects to the worker; undefined when the browser has no shared workers. */
  static open(session: string, events: PresenceEvents): Presence | undefined {
    if (typeof SharedWorker === "undefined") return undefined;
    try {
      return new Presence(new SharedWorker("/worker.js", { name: `ui session ${session}` }), events);
    } catch {
      return undefined; // not allowed, as in some frames
    }
  }

  private constructor(worker: SharedWorker, events: PresenceEvents) {
    this.#port = worker.port;
    this.#events = events;
    worker.onerror = () => this.#answer("show"); // the worker could not be loaded
    worker.port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#received(data);
    window.addEventListener("pagehide", () => this.#post({ type: "leave" }));
    // A page restored by the Back button continues as before.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) void this.join(this.#polite);
    });
  }

  /** join asks the worker whether to show the session. A polite tab waits while another shows it. */
  async join(polite: boolean): Promise<Answer> {
    this.#polite = polite;
    this.#lock ??= hold();
    const lock = await this.#lock;
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#post({ type: "join", polite, lock });
      setTimeout(() => {
        if (this.#answered !== resolve) return;
        this.#post({ type: "join", polite: false, lock }); // in case the worker is only slow
        this.#answer("show");
      }, ANSWER_TIMEOUT);
    });
  }

  /** front asks the tab that shows the session to come to the front. */
  front(): void {
    this.#post({ type: "front" });
  }

  #received(message: WorkerMessage): void {
    switch (message.type) {
      case "show":
      case "wait":
        return this.#answer(message.type);
      case "showing":
        return this.#events.showing(message.tabs);
      case "front":
        return this.#events.front();
    }
  }

  #answer(answer: Answer): void {
    if (answer === "show") this.#polite = false;
    this.#answered?.(answer);
    this.#answered = undefined;
  }

  #post(message: TabMessage): void {
    this.#port.postMessage(message);
  }
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
