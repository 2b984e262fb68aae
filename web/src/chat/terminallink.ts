// The connection of a terminal in a view: frames on a channel of the relay. This file does not use
// the DOM.

import { count, maybe, object, string } from "../data/validate";
import type { Frame } from "../terminal/data/frames";
import type { Dial, LinkHandler } from "../terminal/data/link";
import { base64Of, bytesOf } from "../data/base64";

const frame = object("frame", { k: count, d: maybe(string, "") });

/** ChannelsOptions are what connections need from the view. */
export interface ChannelsOptions {
  /** attach asks the server to connect the terminal on a channel. It returns false while there is no connection. */
  attach(channel: string): boolean;
  /** send sends a message on a channel, as JSON. */
  send(channel: string, text: string): void;
}

/** Channels makes the connections of one terminal, of which one is open at a time. */
export class Channels {
  readonly #options: ChannelsOptions;
  #last = 0; // the number of the last channel
  #handler: LinkHandler | undefined; // of the connection on that channel, while it is open

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  get #channel(): string {
    return `term:${this.#last}`;
  }

  readonly dial: Dial = (handler) => {
    this.#last++;
    this.#handler = handler;
    const isOpen = (): boolean => handler === this.#handler;
    // A Dial calls its handler only after it has returned.
    queueMicrotask(() => {
      if (!isOpen()) return;
      if (this.#options.attach(this.#channel)) handler.opened();
      else this.closed();
    });
    return {
      send: (frame) => {
        if (isOpen()) this.#send(frame);
      },
      close: () => {
        if (isOpen()) this.#handler = undefined;
      },
    };
  };

  /** received handles a message on a channel, and reports whether it is for a terminal. */
  received(channel: string, message: unknown): boolean {
    if (!channel.startsWith("term:")) return false;
    if (this.#handler !== undefined && channel === this.#channel) {
      const { k: kind, d: data } = frame(message, "frame");
      this.#handler.received({ kind, content: bytesOf(data) });
    }
    return true;
  }

  /** closed ends the connection on a channel, or on any if there is no connection to the server. */
  closed(channel = this.#channel): void {
    if (channel !== this.#channel) return;
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.closed("", false);
  }

  #send({ kind, content }: Frame): void {
    this.#options.send(this.#channel, JSON.stringify({ k: kind, ...(content.length === 0 ? {} : { d: base64Of(content) }) }));
  }
}
