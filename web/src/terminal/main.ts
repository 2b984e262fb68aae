// The script of a page that displays terminals and nothing else: each element with the attribute
// data-terminal gets the session of that name. data-base is the path of the server's API, with a
// slash at its end, data-readonly forbids typing, data-overview says that there may be many,
// data-palette chooses the colours, and data-size when the session gets the size of the page. In a
// frame, data-framer is the origin of the page around it, which learns when the person leaves the
// terminal by its key, and says which colours the person prefers.

import { dialWebSocket } from "./websocket";
import { historyAt } from "./data/lines";
import { palettes, type PaletteName } from "./palettes";
import { successor } from "./successor";
import { TerminalView } from "./view";
import { xtermAt } from "./xterm";
import { Beside } from "../popup/beside";
import { dialogAt, Sources } from "../popup/sources";

declare global {
  interface Window {
    /** terminalViews are the views of the page, for its own scripts. */
    terminalViews: TerminalView[];
  }
}

window.terminalViews = [];
let questions: Sources | undefined; // one for all terminals
for (const host of document.querySelectorAll<HTMLElement>("[data-terminal]")) {
  const { terminal: name = "", base = "./", palette = "", xterm = "xterm/", size = "", framer = "" } = host.dataset;
  const socket = (path: string): string => {
    const url = new URL(base + path, document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    return url.href;
  };
  let attached = ""; // the ID of the last session
  questions ??= new Sources((changed) => new Beside(changed, {}), dialogAt(new URL(`${base}dialog.js`, document.baseURI).href));
  const next = successor(socket("ws/json"), name, () => view.reconnect());
  const view = new TerminalView(host, {
    label: `Terminal ${name}`,
    dial: dialWebSocket(() => socket(`sessions/${encodeURIComponent(name)}/ws/attach`)),
    history: (id) => historyAt(async (path) => {
      const answer = await fetch(new URL(`${base}sessions/${encodeURIComponent(id)}/${path}`, document.baseURI));
      const body = await answer.json() as { error?: { message?: string } };
      if (!answer.ok) throw new Error(body.error?.message ?? answer.statusText);
      return body;
    }),
    xterm: xtermAt(new URL(xterm, document.baseURI).href),
    readOnly: host.hasAttribute("data-readonly"),
    webgl: !host.hasAttribute("data-overview"),
    questions,
    size: size === "never" || size === "ask" ? size : "typing",
    ...(Object.hasOwn(palettes, palette) ? { look: { palette: palette as PaletteName } } : {}),
  }, {
    state: (state) => {
      if (state.is === "attached") attached = state.session.id;
      if (state.is === "ended" && (state.end !== undefined || state.failure?.code === "session_not_found")) next.wait(attached);
      else next.stop();
    },
    title: (title) => {
      document.title = title === "" ? name : title;
    },
    leave: () => {
      if (framer !== "") window.parent.postMessage({ uiTerminal: "leave" }, framer);
    },
  });
  if (framer !== "") {
    // The page around the frame gives it the focus as a whole.
    window.addEventListener("focus", () => {
      if (document.activeElement === document.body || document.activeElement === null) view.focus();
    });
    window.addEventListener("message", ({ source, origin, data }: MessageEvent) => {
      const message: unknown = data;
      if (source !== window.parent || origin !== framer || typeof message !== "object" || message === null) return;
      if (!("uiTerminal" in message) || message.uiTerminal !== "palette" || !("palette" in message)) return;
      const { palette } = message;
      if (typeof palette === "string" && Object.hasOwn(palettes, palette)) view.look = { palette: palette as PaletteName };
    });
    window.parent.postMessage({ uiTerminal: "ready" }, framer);
  }
  window.terminalViews.push(view);
}
