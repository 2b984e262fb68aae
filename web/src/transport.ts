// How a client reaches its session.

export interface TransportEvents {
  /** received gets a message as text, or parsed already. */
  received(message: string | object): void;
  /** closed is called when the connection is lost, and when an attempt to connect fails. */
  closed(code: number): void;
}

/** Transport carries messages between a client and its session, and reconnects by itself. */
export interface Transport {
  /** start connects. Each connection begins with a snapshot. */
  start(): void;
  /** send sends a message. It returns false when there is no connection. */
  send(text: string): boolean;
  /** disconnect breaks the connection; the transport then reconnects. */
  disconnect(): void;
}

/** The close code for a session that does not exist. */
export const NO_SESSION = 4404;
