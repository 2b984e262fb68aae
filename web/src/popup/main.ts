// The entry point of the dialog: adds <ui-popup> to any page of the server and connects it.

import { Socket } from "../socket";
import { PopupElement } from "./element";
import { decode, type FromServer, type ToServer } from "./wire";

function start(): void {
  if (customElements.get("ui-popup") !== undefined) return; // the script was loaded twice
  customElements.define("ui-popup", PopupElement);
  const element = new PopupElement();
  document.body.append(element);

  let greeted = false; // the server has accepted this page's token

  const socket: Socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/popup-ws`, {
    opened: () => void hello(),
    received: (text) => {
      try {
        received(decode(text));
      } catch (error) {
        console.error("message about questions:", error);
      }
    },
    closed: () => {
      greeted = false;
      element.offline();
    },
  });
  const received = (message: FromServer): void => {
    if (message.type === "verdict") return element.verdict(message);
    element.state(message);
    element.dataset["ready"] = "true";
  };
  const send = (message: ToServer): boolean => socket.send(JSON.stringify(message));
  const focused = (): boolean => document.visibilityState === "visible" && document.hasFocus();

  /** hello proves that the server served this page. Each server has its own token, so it is fetched again. */
  const hello = async (): Promise<void> => {
    try {
      const response = await fetch("/popup-token", { cache: "no-store" });
      const { token } = (await response.json()) as { token: string };
      if (!send({ type: "hello", token, focused: focused() })) return;
      greeted = true;
      element.connect(send);
      element.online();
    } catch {
      socket.disconnect(); // it reconnects
    }
  };
  const reportFocus = (): void => {
    if (greeted) send({ type: "focus", focused: focused() });
  };
  window.addEventListener("focus", reportFocus);
  window.addEventListener("blur", reportFocus);
  document.addEventListener("visibilitychange", reportFocus);
  socket.start();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
