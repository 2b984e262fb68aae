// The entry point of the page: displays the session named in the URL in the element with the
// attribute ui-app.

import { makeApp, makeStore, type Store } from "./api";
import { Client } from "./client";
import { reach } from "./dom/reach";
import { TerminalElement } from "./dom/terminal";
import { Waiting } from "./dom/waiting";
import { servedLibrary } from "./dom/servedlibrary";
import { notify } from "./notify";
import { presence } from "./presence";
import { fits, reload } from "./reloads";
import { Reports } from "./report";
import { Socket } from "./socket";

function start(): void {
  customElements.define("ui-terminal", TerminalElement);
  const reports = new Reports();
  reports.watch(window);
  window.uiErrors = reports.list;

  const root = document.querySelector("[ui-app]");
  if (root === null) {
    reports.add("page", new Error("no element has the attribute ui-app"));
    return;
  }
  reach();
  const session = decodeURIComponent(location.pathname.split("/")[1] ?? "") || "1";
  const show = (): void => {
    const store: Store = makeStore(() => client);
    const client: Client = new Client({
      root, session, reports, store,
      library: servedLibrary((where, error) => reports.add(where, error)),
      connect: (events) => new Socket(() => socketURL(session), events),
      uploads: `/${encodeURIComponent(session)}/uploads`,
      outdated: reload,
      fits,
    });
    window.uiApp = makeApp(client, store);
    window.uiStore = store;
    client.start();
  };
  const polite = new URLSearchParams(location.search).get("conserve") === "true";
  coordinate(root, session, polite, show);
}

function socketURL(session: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws/${encodeURIComponent(session)}`;
}

/** coordinate calls show at once, or when this tab is polite, as soon as no other tab shows the session. */
function coordinate(root: Element, session: string, polite: boolean, show: () => void): void {
  let [shown, waiting] = [!polite, undefined as Waiting | undefined];
  if (shown) show();
  const others = presence(session, polite, {
    show: () => {
      waiting?.end();
      waiting = undefined;
      if (!shown) show();
      shown = true;
    },
    wait: (tabs) => {
      if (waiting === undefined) others.front();
      waiting ??= new Waiting(root, session, others);
      waiting.showing(tabs);
    },
    front: () => {
      notify(`Session ${session} is already active in another tab.`, { tag: `ui session ${session}`, body: "Click here to go to that tab." });
      window.focus();
    },
  });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
