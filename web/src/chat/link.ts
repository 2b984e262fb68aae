// The transport of a client in a view: a channel of the relay.

import type { Transport, TransportEvents } from "../transport";

/** Link connects one client to its session. */
export class Link implements Transport {
  readonly #events: TransportEvents;
  readonly #send: (channel: string, text: string) => boolean;
  readonly #open: () => void;
  #channel: string | undefined;

  /** open asks the server for the session again, which answers with a channel for attach. */
  constructor(events: TransportEvents, send: (channel: string, text: string) => boolean, open: () => void) {
    this.#events = events;
    this.#send = send;
    this.#open = open;
  }

  /** start does nothing: the server attaches the session without being asked. */
  start(): void {}

  /** attach sets the channel of a new connection. */
  attach(channel: string): void {
    this.#channel = channel;
  }

  received(channel: string, message: unknown): void {
    if (channel === this.#channel && typeof message === "object" && message !== null) this.#events.received(message);
  }

  /** closed ends the connection if it is on this channel. The server opens another when it can. */
  closed(channel: string | undefined, code: number): void {
    if (this.#channel === undefined || (channel !== undefined && channel !== this.#channel)) return;
    this.#channel = undefined;
    this.#events.closed(code);
  }

  send(text: string): boolean {
    return this.#channel !== undefined && this.#send(this.#channel, text);
  }

  disconnect(): void {
    this.closed(this.#channel, 0);
    this.#open();
  }
}
