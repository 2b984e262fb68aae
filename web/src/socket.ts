// A WebSocket that reconnects by itself.

import { NO_SESSION, type Transport, type TransportEvents } from "./transport";

const DELAYS = [0, 250, 500, 1000, 2000, 3000]; // milliseconds; the last one repeats
const SLOW = 5000; // milliseconds between attempts while the session does not exist
const STEADY = 1000; // milliseconds after which a connection counts as successful

/** SocketEvents are the callbacks of a Socket. Each call of opened is followed by one of closed. */
export interface SocketEvents extends TransportEvents {
  opened?(): void;
  received(text: string): void;
}

/** Socket keeps one connection to url open once it is started. */
export class Socket implements Transport {
  readonly #url: string;
  readonly #events: SocketEvents;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #openedAt = 0;
  readonly #stopped = new AbortController();

  constructor(url: string, events: SocketEvents) {
    this.#url = url;
    this.#events = events;
  }

  /** start opens the connection and reopens it whenever it breaks. */
  start(): void {
    const { signal } = this.#stopped;
    window.addEventListener("online", () => this.#hurry(), { signal });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#hurry();
    }, { signal });
    // A page in the back/forward cache loses its connection.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.#hurry();
    }, { signal });
    this.#attempts = 1; // the first attempt is this one
    this.#connect();
  }

  /** send sends a message. It returns false when there is no connection. */
  send(text: string): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(text);
    return true;
  }

  /** disconnect closes the connection; the Socket then reconnects. */
  disconnect(): void {
    this.#socket?.close();
  }

  /** stop ends the connection. No event follows. */
  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#socket?.close();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#openedAt = performance.now();
      this.#events.opened?.();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string" && !this.#stopped.signal.aborted) this.#events.received(data);
    };
    socket.onclose = ({ code }) => {
      if (this.#openedAt > 0 && performance.now() - this.#openedAt >= STEADY) this.#attempts = 0;
      this.#openedAt = 0;
      this.#socket = undefined;
      if (this.#stopped.signal.aborted) return;
      this.#events.closed(code);
      const delay = code === NO_SESSION ? SLOW : DELAYS[Math.min(this.#attempts, DELAYS.length - 1)];
      this.#attempts++;
      this.#timer = setTimeout(() => this.#connect(), delay);
    };
  }

  #hurry(): void {
    if (this.#timer !== undefined) this.#connect();
  }
}
