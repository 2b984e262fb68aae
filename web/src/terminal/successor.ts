// Waits for a session of a name: one that is created or gets that name later.

import { Socket } from "../socket";

/** Successor waits for a running session of a name that is not the one of the given ID. */
export class Successor {
  readonly #url: string;
  readonly #name: string;
  readonly #found: () => void;
  #socket: Socket | undefined; // while it waits
  #last = "";

  /** url is the server's socket for all sessions. found is called once for each wait. */
  constructor(url: string, name: string, found: () => void) {
    this.#url = url;
    this.#name = name;
    this.#found = found;
  }

  /** wait starts to wait, unless it does so already. A session with the ID last does not count. */
  wait(last: string): void {
    this.#last = last;
    if (this.#socket !== undefined) return;
    const socket = new Socket(() => this.#url, { opened: () => list(), received: (text) => received(text), closed: () => {} });
    const list = (): boolean => socket.send(JSON.stringify({ id: 1, method: "list_sessions" }));
    const received = (text: string): void => {
      const message: unknown = JSON.parse(text);
      if (typeof message !== "object" || message === null) return;
      if ("result" in message && this.#isIn(message.result)) {
        this.stop();
        this.#found();
      } else if ("event" in message && (message.event === "session_created" || message.event === "session_renamed") || "type" in message) {
        list(); // the events before it may have been lost
      }
    };
    this.#socket = socket;
    socket.start();
  }

  /** stop ends the wait. */
  stop(): void {
    this.#socket?.stop();
    this.#socket = undefined;
  }

  #isIn(list: unknown): boolean {
    return Array.isArray(list) && list.some((session: unknown) =>
      typeof session === "object" && session !== null && "name" in session && "id" in session && "state" in session
        && session.name === this.#name && session.id !== this.#last && session.state !== "ended");
  }
}
