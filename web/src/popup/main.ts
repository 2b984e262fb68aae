// The start of the dialog: puts <ui-popup> into the page and connects it. The script works in any page of the server.

import { Socket } from "../socket";
import { PopupElement } from "./element";
import { decode, type ToServer } from "./wire";

function start(): void {
  if (customElements.get("ui-popup") !== undefined) return; // the script was loaded twice
  customElements.define("ui-popup", PopupElement);
  const element = new PopupElement();
  document.body.append(element);

  let greeted = false; // the server knows that this page is its own

  const socket: Socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/popup-ws`, {
    opened: () => void hello(),
    received: (text) => {
      const message = decode(text);
      if (message?.type === "state") {
        element.state(message);
        element.dataset["ready"] = "true";
      } else if (message !== undefined) element.verdict(message);
    },
    closed: () => {
      greeted = false;
      element.offline();
    },
  });
  const send = (message: ToServer): boolean => socket.send(JSON.stringify(message));
  const focused = (): boolean => document.visibilityState === "visible" && document.hasFocus();

  /** hello shows that this page is one of the server's. The token is fetched each time, since a new server has a new one. */
  const hello = async (): Promise<void> => {
    try {
      const response = await fetch("/popup-token", { cache: "no-store" });
      const { token } = (await response.json()) as { token: string };
      if (!send({ type: "hello", token, focused: focused() })) return;
      greeted = true;
      element.connect(send);
      element.online();
    } catch {
      socket.disconnect(); // and it comes back
    }
  };
  const tell = (): void => {
    if (greeted) send({ type: "focus", focused: focused() });
  };
  window.addEventListener("focus", tell);
  window.addEventListener("blur", tell);
  document.addEventListener("visibilitychange", tell);
  socket.start();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
