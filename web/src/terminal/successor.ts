// Waits for a session of a name: one that is created or gets that name later.

/** Milliseconds before the next attempt to reach a server that could not be reached. */
const RETRY = 5000;

/** Successor waits for a running session of a name that is not the one of the given ID. */
export class Successor {
  readonly #url: string;
  readonly #name: string;
  readonly #found: () => void;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
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
    if (this.#socket === undefined && this.#timer === undefined) this.#connect();
  }

  /** stop ends the wait. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    const list = (): void => socket.send(JSON.stringify({ id: 1, method: "list_sessions" }));
    socket.onopen = list;
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket || typeof data !== "string") return;
      const message: unknown = JSON.parse(data);
      if (typeof message !== "object" || message === null) return;
      if ("result" in message && this.#isIn(message.result)) {
        this.stop();
        this.#found();
      } else if ("event" in message && (message.event === "session_created" || message.event === "session_renamed") || "type" in message) {
        list(); // the events before it may have been lost
      }
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#socket = undefined;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#connect();
      }, RETRY);
    };
  }

  #isIn(list: unknown): boolean {
    return Array.isArray(list) && list.some((session: unknown) =>
      typeof session === "object" && session !== null && "name" in session && "id" in session && "state" in session
        && session.name === this.#name && session.id !== this.#last && session.state !== "ended");
  }
}
