// This tab among the tabs of its session.

import type { TabMessage, WorkerMessage } from "./between";
import type { Answer } from "./data/tabs";

const PATIENCE = 2000; // milliseconds for the worker's answer; a page without one opens

/** What a Presence tells, after it has joined. */
export interface PresenceEvents {
  /** showing: so many tabs show the session now; told to a tab that waits. */
  showing(tabs: number): void;
  /** front: the person looks for this tab. */
  front(): void;
}

/** Presence speaks with the worker that is shared by all tabs of a session. */
export class Presence {
  readonly #port: MessagePort;
  readonly #events: PresenceEvents;
  #answered: ((answer: Answer) => void) | undefined;
  #polite = false; // what this tab is while it does not show the session
  #lock: Promise<string | null> | undefined;

  /** open finds the worker; undefined where the browser has no such thing. */
  static open(session: string, events: PresenceEvents): Presence | undefined {
    if (typeof SharedWorker === "undefined") return undefined;
    try {
      return new Presence(new SharedWorker("/worker.js", { name: `ui session ${session}` }), events);
    } catch {
      return undefined; // not allowed here, as in some frames
    }
  }

  private constructor(worker: SharedWorker, events: PresenceEvents) {
    this.#port = worker.port;
    this.#events = events;
    worker.onerror = () => this.#answer("show"); // it could not be loaded
    worker.port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.#received(data);
    window.addEventListener("pagehide", () => this.#post({ type: "leave" }));
    // A page that comes back by the Back button goes on as it was.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) void this.join(this.#polite);
    });
  }

  /** join asks whether to show the session. A polite tab waits while another one shows it. */
  async join(polite: boolean): Promise<Answer> {
    this.#polite = polite;
    this.#lock ??= hold();
    const lock = await this.#lock;
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#post({ type: "join", polite, lock });
      setTimeout(() => {
        if (this.#answered !== resolve) return;
        this.#post({ type: "join", polite: false, lock }); // for the worker to know, should it live after all
        this.#answer("show");
      }, PATIENCE);
    });
  }

  /** front asks the tab that shows the session to come forward. */
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

/** hold takes a lock for the life of this page, by which others can tell when it has gone. */
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
