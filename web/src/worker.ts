// The worker that the tabs of one session in one browser share. It tracks which of them show the
// session.

import type { TabMessage, WorkerMessage } from "./tabmessages";
import { Tabs } from "./data/tabs";

const tabs = new Tabs<MessagePort>();

function post(port: MessagePort | undefined, message: WorkerMessage): void {
  port?.postMessage(message);
}

function notifyWaiting(): void {
  for (const port of tabs.waiting) post(port, { type: "joined", shows: false, tabs: tabs.showing });
}

function leave(port: MessagePort): void {
  tabs.leave(port);
  notifyWaiting();
}

function received(port: MessagePort, message: TabMessage): void {
  switch (message.type) {
    case "join":
      if (tabs.join(port, message.polite)) post(port, { type: "joined", shows: true, tabs: tabs.showing });
      notifyWaiting();
      // The lock is released when the tab closes, however it closes.
      if (message.lock !== null) void navigator.locks.request(message.lock, () => leave(port));
      return;
    case "leave":
      return leave(port);
    case "front":
      return post(tabs.front, { type: "front" });
  }
}

addEventListener("connect", (event) => {
  const port = (event as MessageEvent).ports[0];
  if (port === undefined) return;
  port.onmessage = ({ data }: MessageEvent<TabMessage>) => received(port, data);
});
