// The entry point of the document with the questions, which is a frame in a page of an app or a
// page of its own: adds <ui-popup> and connects it.

import { reach } from "../dom/reach";
import { Socket } from "../socket";
import { PopupElement } from "./element";
import { Frame, WholePage } from "./surface";
import { decode, type FromServer, type ToServer } from "./wire";

/** pageOrigin returns the origin of the pages of apps, which the server puts into the document. */
function pageOrigin(): string {
  return `${location.protocol}//${document.documentElement.dataset["app"] ?? ""}`;
}

function start(): void {
  customElements.define("ui-popup", PopupElement);
  reach();
  const framed = window.parent !== window;
  document.documentElement.classList.toggle("framed", framed);

  let greeted = false; // the connection has been introduced
  let reported = false; // the focus as the server knows it
  let surface: Frame | WholePage | undefined;
  const element = new PopupElement((changed) => {
    const update = (): void => {
      changed();
      reportFocus();
    };
    for (const type of ["focus", "blur"] as const) window.addEventListener(type, update);
    return (surface = framed ? new Frame(pageOrigin(), update) : new WholePage(update));
  });

  const socket: Socket = new Socket(() => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/popup-ws`, {
    opened: () => hello(),
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

  const hello = (): void => {
    reported = surface?.focused ?? false;
    if (!send({ type: "hello", focused: reported })) return;
    greeted = true;
    element.connect(send);
  };
  const reportFocus = (): void => {
    const focused = surface?.focused ?? false;
    if (!greeted || focused === reported) return;
    reported = focused;
    send({ type: "focus", focused });
  };
  document.addEventListener("visibilitychange", reportFocus);
  document.body.append(element);
  socket.start();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
