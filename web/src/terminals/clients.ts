// The dialog that lists the clients of a session: the terminals and pages of persons, which of them
// leads, and a way to detach each.

import { sessionPath } from "./api";
import type { App } from "./app";
import { ago, type Client, kindText, type Session } from "./data/session";
import { attempt, openDialog, problem } from "./dialogs";
import { h, keep, on, setText } from "./html";

type Needs = Pick<App, "api" | "lead" | "mine" | "refresh" | "rights" | "sessions">;

/** openClients lists the clients of a session. */
export function openClients({ id, name: title }: Session, page: Needs): void {
  const now = (): Session | undefined => page.sessions.withID(id);
  const mine = (): string | undefined => page.mine(now()?.name ?? "");
  const list = h("ul", { class: "tokens", "aria-label": "Attached" });
  const error = problem();
  const detach = async (clients: readonly string[]): Promise<void> => {
    await attempt(async () => {
      for (const client of clients) await page.api.request("POST", sessionPath(id, `/detach?client=${encodeURIComponent(client)}`));
    }, error.say);
    page.refresh();
  };
  const others = (): string[] => (now()?.attached ?? []).map((client) => client.name).filter((client) => client !== mine());
  const all = on(h("button", { type: "button" }, "Detach all others"), "click", () => void detach(others()));
  const lead = on(h("button", { type: "button" }, "Take the lead"), "click", () => {
    page.lead(now()?.name ?? "");
    page.refresh();
  });
  const buttons = h("div", { class: "buttons start" }, lead, all);
  const rows = new Map<string, { readonly element: HTMLLIElement; readonly about: HTMLElement; readonly leads: HTMLElement }>();
  const nobody = h("p", { class: "hint" }, "Nobody is attached.");
  const draw = (): void => {
    const session = now();
    const own = mine();
    const clients = session?.attached ?? [];
    keep(list, rows, clients, ({ name }) => name, ({ name }) => {
      const about = h("span", { class: "hint" });
      const leads = h("span", { class: "mode" }, "leads");
      const button = on(h("button", { type: "button", "aria-label": `Detach ${name}`, hidden: name === own || !page.rights.may("manage") }, "Detach"), "click", () => void detach([name]));
      return { element: h("li", { "data-client": name }, h("span", {}, h("b", {}, name), name === own ? " (this page)" : undefined, about), leads, button), about, leads };
    }, (row, client) => {
      setText(row.about, about(client, Date.now()));
      row.leads.hidden = client.name !== session?.leader;
    });
    nobody.hidden = clients.length > 0;
    all.hidden = !page.rights.may("manage") || others().length < 2;
    lead.hidden = own === undefined || session?.leader === own || !page.rights.may("type") || !leadDecides(session);
    buttons.hidden = all.hidden && lead.hidden;
  };
  openDialog({
    title: `Attached to ${title}`, wide: true, draw, refresh: () => page.refresh(),
    content: [
      h("p", {}, "The session has the size of the terminal that leads: the one that typed last, or took the lead. Detaching leaves the program running."),
      list, nobody, error.element, buttons,
    ],
  });
}

/** leadDecides reports whether the terminal that leads decides the size of a session. */
export function leadDecides(session: Session | undefined): boolean {
  return session === undefined || session.sizeRule === "" || session.sizeRule === "leader";
}

function about(client: Client, now: number): string {
  const { kind, cols, rows, typedAt } = client;
  const parts = [kindText(client)];
  if (kind !== "watch" && cols > 0) parts.push(`${cols}×${rows}`);
  if (typedAt !== undefined) parts.push(now - typedAt < 5000 ? "typed just now" : `typed ${ago(typedAt, now)} ago`);
  return parts.join(" · ");
}
