// The start of the page: shows the session that the address names in the
// element with the attribute ui-app.

import { makeApp, makeStore, type Store } from "./api";
import { Client } from "./client";
import { Told } from "./data/told";
import { Forward } from "./dom/forward";
import { Waiting } from "./dom/waiting";
import { Presence } from "./presence";
import { Reports } from "./report";

function start(): void {
  const told = new Told();
  const reports = new Reports((error) => told.tell(error));
  reports.watch(window);
  window.uiErrors = reports.list;

  const root = document.querySelector("[ui-app]");
  if (root === null) {
    reports.add("page", new Error("no element has the attribute ui-app"));
    return;
  }
  const session = decodeURIComponent(location.pathname.split("/")[1] ?? "") || "1";
  const show = (): void => {
    const store: Store = makeStore(() => client);
    const client: Client = new Client({ root, session, reports, told, store });
    window.uiApp = makeApp(client, store);
    window.uiStore = store;
    client.start();
  };
  const polite = new URLSearchParams(location.search).get("conserve") === "true";
  void among(root, session, polite, show);
}

/**
 * among calls show when this tab is to show the session: at once, unless it is
 * polite. A polite tab asks first, and waits while another one shows it.
 */
async function among(root: Element, session: string, polite: boolean, show: () => void): Promise<void> {
  if (!polite) show();
  let waiting: Waiting | undefined;
  const forward = new Forward(session);
  const presence = Presence.open(session, {
    showing: (tabs) => waiting?.showing(tabs),
    front: () => forward.call(),
  });
  if (presence === undefined) {
    if (polite) show();
    return;
  }
  const join = async (): Promise<void> => {
    const answer = await presence.join(polite);
    if (!polite) return;
    if (answer === "show") {
      waiting?.end();
      waiting = undefined;
      show();
      return;
    }
    waiting ??= new Waiting(root, session, {
      front: () => presence.front(),
      open: () => void join(),
    });
    presence.front();
  };
  await join();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
