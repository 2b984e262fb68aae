// The connection of a terminal in a view: frames on a channel of the relay. This file does not use
// the DOM.

import { record, count, optional, string } from "../data/validate";
import { Kind, type Frame } from "../terminal/data/frames";
import type { Clock, Dial, Link, LinkHandler } from "../terminal/data/link";
import { base64Of, bytesOf } from "../data/base64";

/**
 * Milliseconds between two pictures at least. The server sends the next picture when the last one is
 * on the screen, and a host should not have to pass on hundreds of calls a second.
 */
const PACE = 50;

/** ChannelsOptions are what connections need from the view. */
export interface ChannelsOptions {
  readonly clock: Clock;
  /** attach asks the server to connect the terminal on a channel. It returns false while there is no connection. */
  attach(channel: string): boolean;
  /** send sends a message on a channel, as JSON. */
  send(channel: string, text: string): void;
}

/** Channels makes the connections of one terminal, of which one is open at a time. */
export class Channels {
  readonly #options: ChannelsOptions;
  #last = 0; // the number of the last channel
  #open: ChannelLink | undefined;

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  readonly dial: Dial = (handler) => {
    const { attach, send, clock } = this.#options;
    const channel = `term:${++this.#last}`;
    const link = new ChannelLink(channel, handler, clock, (frame) => {
      send(channel, JSON.stringify({ k: frame.kind, ...(frame.content.length === 0 ? {} : { d: base64Of(frame.content) }) }));
    });
    this.#open = link;
    // A Dial calls its handler only after it has returned.
    queueMicrotask(() => {
      if (attach(channel)) link.opened();
      else link.closed();
    });
    return link;
  };

  /** received handles a message on a channel, and reports whether it is for a terminal. */
  received(channel: string, message: unknown): boolean {
    if (!channel.startsWith("term:")) return false;
    if (this.#open?.channel === channel) {
      const m = record(message, "frame");
      this.#open.received({ kind: count(m["k"], "frame.k"), content: bytesOf(optional(m["d"], "frame.d", string) ?? "") });
    }
    return true;
  }

  /** closed ends the connection on a channel, or on any if there is no connection to the server. */
  closed(channel?: string): void {
    if (channel === undefined || this.#open?.channel === channel) this.#open?.closed();
  }
}

class ChannelLink implements Link {
  readonly channel: string;
  readonly #handler: LinkHandler;
  readonly #clock: Clock;
  readonly #send: (frame: Frame) => void;
  #over = false;
  #drawnAt = -Infinity; // when the server last learnt that a picture is on the screen
  #held: Frame[] = []; // that say so
  #cancel: (() => void) | undefined; // the timer of #held

  constructor(channel: string, handler: LinkHandler, clock: Clock, send: (frame: Frame) => void) {
    this.channel = channel;
    this.#handler = handler;
    this.#clock = clock;
    this.#send = send;
  }

  opened(): void {
    if (!this.#over) this.#handler.opened();
  }

  received(frame: Frame): void {
    if (!this.#over) this.#handler.received(frame);
  }

  closed(): void {
    if (this.#over) return;
    this.#end();
    this.#handler.closed("", false);
  }

  send(frame: Frame): void {
    if (this.#over) return;
    if (frame.kind === Kind.Drawn) {
      this.#held.push(frame);
      const rest = this.#drawnAt + PACE - this.#clock.now();
      if (rest > 0) this.#cancel ??= this.#clock.later(rest, () => this.#release());
      else this.#release();
      return;
    }
    this.#release(); // one call takes both
    this.#send(frame);
  }

  close(): void {
    if (this.#over) return;
    this.#end();
  }

  #release(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = [];
    this.#drawnAt = this.#clock.now();
    for (const frame of held) this.#send(frame);
  }

  #end(): void {
    this.#over = true;
    this.#cancel?.();
    this.#held = [];
  }
}

