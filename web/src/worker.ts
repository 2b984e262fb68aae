// The worker that the tabs of one session in one browser share. It tracks which of them show the
// session.

import type { TabMessage, WorkerMessage } from "./tabmessages";

const showing = new Set<MessagePort>(); // in order of joining
const waiting = new Set<MessagePort>(); // polite ones, while others show it

function post(port: MessagePort | undefined, message: WorkerMessage): void {
  port?.postMessage(message);
}

function notifyWaiting(): void {
  for (const port of waiting) post(port, { type: "joined", shows: false, tabs: showing.size });
}

function leave(port: MessagePort): void {
  showing.delete(port);
  waiting.delete(port);
  notifyWaiting();
}

/** join adds a tab, which may join again. */
function join(port: MessagePort, polite: boolean): void {
  showing.delete(port);
  waiting.delete(port);
  const shows = !polite || showing.size === 0;
  (shows ? showing : waiting).add(port);
  if (shows) post(port, { type: "joined", shows, tabs: showing.size });
  notifyWaiting();
}

function received(port: MessagePort, message: TabMessage): void {
  switch (message.type) {
    case "join":
      join(port, message.polite);
      // The lock is released when the tab closes, however it closes.
      if (message.lock !== null) void navigator.locks.request(message.lock, () => leave(port));
      return;
    case "leave":
      return leave(port);
    case "front":
      return post(showing.values().next().value, { type: "front" });
  }
}

addEventListener("connect", (event) => {
  const port = (event as MessageEvent).ports[0];
  if (port === undefined) return;
  port.onmessage = ({ data }: MessageEvent<TabMessage>) => received(port, data);
});
