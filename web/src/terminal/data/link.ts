// A connection over which a terminal is attached. A WebSocket is one (../websocket.ts); a relay
// inside a chat is another. This file does not use the DOM.

import type { Frame } from "./frames";

/** Link is one connection. */
export interface Link {
  /** send sends a frame. After the connection has ended it does nothing. */
  send(frame: Frame): void;
  /** close ends the connection. No method of its handler is called afterwards. */
  close(): void;
}

/** LinkHandler has the callbacks of a connection: opened once, then frames, then closed once. */
export interface LinkHandler {
  opened(): void;
  received(frame: Frame): void;
  /**
   * closed is called when the connection has ended or could not be made. why is a sentence for the
   * person, or empty. final says that another attempt would be useless.
   */
  closed(why: string, final: boolean): void;
}

/** Dial begins a connection. It calls no method of the handler before it has returned. */
export type Dial = (handler: LinkHandler) => Link;
