// A WebSocket as the connection of a terminal.

import { pack, unpack } from "./data/frames";
import type { Dial, Link, LinkHandler } from "./data/link";

/** The close code of a caller whose token was withdrawn or has expired. */
const POLICY = 1008;

/**
 * dialWebSocket returns a Dial of the URL that url returns, which may take a moment, as where a
 * ticket is needed. If it throws a Denied, no other attempt is made.
 */
export function dialWebSocket(url: () => string | Promise<string>): Dial {
  return (handler) => new WebSocketLink(url, handler);
}

/** Denied says that connecting again is useless, with a sentence for the person. */
export class Denied extends Error {
  override readonly name = "Denied";
}

class WebSocketLink implements Link {
  readonly #handler: LinkHandler;
  #socket: WebSocket | undefined;
  #over = false;

  constructor(url: () => string | Promise<string>, handler: LinkHandler) {
    this.#handler = handler;
    void this.#open(url);
  }

  async #open(url: () => string | Promise<string>): Promise<void> {
    try {
      const address = await url();
      if (!this.#over) this.#connect(address);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error), error instanceof Denied);
    }
  }

  #connect(address: string): void {
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      if (!this.#over) this.#handler.opened();
    };
    socket.onmessage = ({ data }) => {
      if (!this.#over && data instanceof ArrayBuffer) this.#handler.received(unpack(data));
    };
    socket.onclose = ({ code, reason }) => this.#end(reason, code === POLICY);
  }

  #end(why: string, final: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#handler.closed(why, final);
  }

  send(frame: Parameters<Link["send"]>[0]): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(pack(frame));
  }

  close(): void {
    this.#over = true;
    this.#socket?.close();
  }
}
