// A WebSocket as the connection of a terminal.

import { pack, unpack } from "./data/frames";
import type { Dial } from "./data/link";

/** The close code of a caller whose token was withdrawn or has expired. */
const POLICY = 1008;

/** Denied says that connecting again is useless, with a sentence for the person. */
export class Denied extends Error {
  override readonly name = "Denied";
}

/**
 * dialWebSocket returns a Dial of the URL that url returns, which may take a moment, as where a
 * ticket is needed. If it throws a Denied, no other attempt is made.
 */
export function dialWebSocket(url: () => string | Promise<string>): Dial {
  return (handler) => {
    let socket: WebSocket | undefined;
    let over = false;
    const end = (why: string, final: boolean): void => {
      if (over) return;
      over = true;
      handler.closed(why, final);
    };
    const open = async (): Promise<void> => {
      const address = await url();
      if (over) return;
      socket = new WebSocket(address);
      socket.binaryType = "arraybuffer";
      socket.onopen = () => {
        if (!over) handler.opened();
      };
      socket.onmessage = ({ data }) => {
        if (!over && data instanceof ArrayBuffer) handler.received(unpack(data));
      };
      socket.onclose = ({ code, reason }) => end(reason, code === POLICY);
    };
    open().catch((error: unknown) => end(error instanceof Error ? error.message : String(error), error instanceof Denied));
    return {
      send: (frame) => {
        if (socket?.readyState === WebSocket.OPEN) socket.send(pack(frame));
      },
      close: () => {
        over = true;
        socket?.close();
      },
    };
  };
}
