// The shared worker between the tabs of one session in one browser. It knows
// which of them show the session, and nothing of the session itself.

import type { TabMessage, WorkerMessage } from "./between";
import { Tabs } from "./data/tabs";

const tabs = new Tabs<MessagePort>();

function post(port: MessagePort | undefined, message: WorkerMessage): void {
  port?.postMessage(message);
}

function tellWaiting(): void {
  for (const port of tabs.waiting) post(port, { type: "showing", tabs: tabs.showing });
}

function leave(port: MessagePort): void {
  tabs.leave(port);
  tellWaiting();
}

function received(port: MessagePort, message: TabMessage): void {
  switch (message.type) {
    case "join": {
      const answer = tabs.join(port, message.polite);
      post(port, { type: answer });
      tellWaiting();
      // The lock is free when the tab has gone, however it went.
      if (message.lock !== null) void navigator.locks.request(message.lock, () => leave(port));
      return;
    }
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
