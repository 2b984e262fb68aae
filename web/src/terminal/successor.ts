// Waits for a session of a name: one that is created or gets that name later.

import { Socket } from "../socket";

/** Successor waits for a running session of a name. */
export interface Successor {
  /** wait starts to wait, unless it does so already. A session with the ID last does not count. */
  wait(last: string): void;
  /** stop ends the wait. */
  stop(): void;
}

/** successor waits over url, the server's socket for all sessions. found is called once for each wait. */
export function successor(url: string, name: string, found: () => void): Successor {
  let socket: Socket | undefined; // while it waits
  let last = "";
  const stop = (): void => {
    socket?.stop();
    socket = undefined;
  };
  const list = (): void => void socket?.send(JSON.stringify({ id: 1, method: "list_sessions" }));
  const isIt = (session: unknown): boolean =>
    typeof session === "object" && session !== null && "name" in session && "id" in session && "state" in session
      && session.name === name && session.id !== last && session.state !== "ended";
  const received = (text: string): void => {
    const message: unknown = JSON.parse(text);
    if (typeof message !== "object" || message === null) return;
    if ("result" in message && Array.isArray(message.result) && message.result.some(isIt)) {
      stop();
      found();
    } else if ("event" in message && (message.event === "session_created" || message.event === "session_renamed") || "type" in message) {
      list(); // the events before it may have been lost
    }
  };
  return {
    stop,
    wait: (present) => {
      last = present;
      if (socket !== undefined) return;
      socket = new Socket(() => url, { opened: list, received, closed: () => {} });
      socket.start();
    },
  };
}
