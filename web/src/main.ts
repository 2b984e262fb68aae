// The start of the page: shows the session that the address names in the
// element with the attribute ui-app.

import { makeApp, makeStore, type Store } from "./api";
import { Client } from "./client";
import { Reports } from "./report";

function start(): void {
  const reports = new Reports();
  reports.watch(window);
  window.uiErrors = reports.list;

  const root = document.querySelector("[ui-app]");
  if (root === null) {
    reports.add("page", new Error("no element has the attribute ui-app"));
    return;
  }
  const session = decodeURIComponent(location.pathname.split("/")[1] ?? "") || "1";
  const store: Store = makeStore(() => client);
  const client: Client = new Client(root, session, reports, store);
  window.uiApp = makeApp(client, store);
  client.start();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
