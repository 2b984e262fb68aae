// A WebSocket that reconnects by itself.

import { NO_SESSION, type Transport } from "./transport";

const DELAYS = [0, 250, 500, 1000, 2000, 3000]; // milliseconds; the last one repeats
const SLOW = 5000; // milliseconds between attempts while the session does not exist
const STEADY = 1000; // milliseconds after which a connection counts as successful
const PATIENCE = 15_000; // milliseconds after which an attempt to connect has failed

/** Address returns the URL to connect to, or fails, as an attempt to connect may. signal is aborted with the Socket. */
export type Address = (signal: AbortSignal) => string | Promise<string>;

/** SocketEvents are the callbacks of a Socket. */
export interface SocketEvents {
  opened?(): void;
  received(text: string): void;
  /** closed is called when the connection is lost, or could not be made. The next attempt begins after wait milliseconds. */
  closed(code: number, wait: number): void;
}

/** Socket keeps one connection open once it is started. */
export class Socket implements Transport {
  readonly #address: Address;
  readonly #events: SocketEvents;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #openedAt = 0;
  readonly #stopped = new AbortController();

  constructor(address: Address, events: SocketEvents) {
    this.#address = address;
    this.#events = events;
  }

  /** start opens the connection and reopens it whenever it breaks. */
  start(): void {
    const { signal } = this.#stopped;
    window.addEventListener("online", () => this.hurry(), { signal });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hurry();
    }, { signal });
    // A page in the back/forward cache loses its connection.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.hurry();
    }, { signal });
    this.#attempts = 1; // the first attempt is this one
    void this.#connect();
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

  async #connect(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { signal } = this.#stopped;
    let url: string;
    try {
      url = await this.#address(signal);
    } catch {
      return this.#closed(0);
    }
    if (signal.aborted) return;
    const socket = new WebSocket(url);
    const late = setTimeout(() => socket.close(), PATIENCE);
    this.#socket = socket;
    socket.onopen = () => {
      clearTimeout(late);
      this.#openedAt = performance.now();
      this.#events.opened?.();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string" && !signal.aborted) this.#events.received(data);
    };
    socket.onclose = ({ code }) => {
      clearTimeout(late);
      this.#closed(code);
    };
  }

  #closed(code: number): void {
    if (this.#openedAt > 0 && performance.now() - this.#openedAt >= STEADY) this.#attempts = 0;
    this.#openedAt = 0;
    this.#socket = undefined;
    if (this.#stopped.signal.aborted) return;
    const wait = code === NO_SESSION ? SLOW : (DELAYS[Math.min(this.#attempts, DELAYS.length - 1)] ?? 0);
    this.#attempts++;
    this.#timer = setTimeout(() => void this.#connect(), wait);
    this.#events.closed(code, wait);
  }

  /** hurry connects now if the next attempt is not due yet. */
  hurry(): void {
    if (this.#timer !== undefined) void this.#connect();
  }
}
