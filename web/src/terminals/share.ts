// Links for others, with fewer rights and an end. A link has its token in the fragment, which
// browsers send to no server.

import { copyText } from "../terminal/clipboard";
import { type Api, BASE } from "./api";
import { shareLink } from "./data/route";
import { duration } from "./data/session";
import { attempt, field, openDialog, problem, select, text } from "./dialogs";
import { h, on } from "./html";

interface Issued {
  readonly id: string;
  readonly name: string;
  readonly rights: readonly string[];
  readonly scope: string;
  readonly left: number;
}

function decode(value: unknown): Issued[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => {
    const of = item as Readonly<Record<string, unknown>>;
    const list = (name: string): string[] => (Array.isArray(of[name]) ? of[name].map(String) : []);
    const scope = [...list("sessions"), ...list("tags").map((tag) => `tag ${tag}`)];
    return { id: String(of["id"]), name: String(of["name"] ?? ""), rights: list("rights"), scope: scope.length === 0 ? "all sessions" : scope.join(", "), left: Number(of["expires_in_ms"]) };
  });
}

const HOUR = 3_600_000;

/** share makes links, and lists and withdraws those that exist. */
export function share(api: Api, session: string | undefined, tags: readonly string[]): void {
  const what = select([["read", "Look"], ["read type", "Look and type"]], "read");
  const scopes: (readonly [string, string])[] = session === undefined ? [] : [[`session ${session}`, `Only ${session}`]];
  const scope = select([...scopes, ...tags.map((tag) => [`tag ${tag}`, `Sessions tagged ${tag}`] as const), ["all", "All sessions"]], scopes[0]?.[0] ?? "all");
  const life = select([[String(HOUR), "An hour"], [String(24 * HOUR), "A day"], [String(7 * 24 * HOUR), "A week"]], String(HOUR));
  const name = text("", { maxlength: "60", placeholder: "for example, whose it is" });
  const link = h("input", { type: "text", readonly: true, class: "mono", "aria-label": "Link" });
  const copy = h("button", { type: "button" }, "Copy");
  const made = h("div", { class: "made", hidden: true }, h("p", { role: "status" }, "This link gives these rights to everyone who has it. It is displayed only once."), h("div", { class: "row" }, link, copy));
  const error = problem();
  const list = h("ul", { class: "tokens" });
  const create = h("button", { type: "button", class: "primary" }, "Create link");

  /** press carries out a task at a click, but not at the second one of a double click. */
  const press = (button: HTMLButtonElement, task: () => Promise<void>): void => {
    let runs = false;
    on(button, "click", ({ detail }) => {
      if (runs || detail > 1) return;
      runs = true;
      void attempt(task, error.say).finally(() => (runs = false));
    });
  };
  const refresh = async (): Promise<void> => {
    const tokens = decode(await api.request("GET", "auth/tokens"));
    list.replaceChildren(
      ...tokens.map(({ id, name: label, rights, scope: of, left }) => {
        const title = label === "" ? `Link ${id}` : label;
        const withdraw = h("button", { type: "button", "aria-label": `Withdraw ${title}` }, "Withdraw");
        press(withdraw, async () => {
          await api.request("DELETE", `auth/tokens/${encodeURIComponent(id)}`);
          await refresh();
        });
        return h("li", {}, h("span", {}, h("b", {}, title), h("span", { class: "hint" }, `${rights.join(", ")} · ${of} · ends in ${duration(left)}`)), withdraw);
      }),
    );
    if (tokens.length === 0) list.append(h("li", { class: "hint" }, "No link or token is valid."));
  };
  press(create, async () => {
    const [kind, value] = [scope.value.split(" ")[0], scope.value.split(" ").slice(1).join(" ")];
    const answer = (await api.request("POST", "auth/tokens", {
      rights: what.value.split(" "), expires_in_ms: Number(life.value), ...(name.value.trim() === "" ? {} : { name: name.value.trim() }),
      ...(kind === "session" ? { sessions: [value] } : kind === "tag" ? { tags: [value] } : {}),
    })) as { token?: unknown } | undefined;
    if (typeof answer?.token !== "string") throw new Error("the server's answer has no token");
    link.value = shareLink(BASE, kind === "session" ? value : undefined, answer.token);
    made.hidden = false;
    link.focus();
    link.select();
    await refresh();
  });
  press(copy, async () => {
    link.select(); // so that the person can copy it if the page cannot
    await copyText(link.value);
    copy.textContent = "Copied";
  });
  openDialog({
    title: "Links for others", wide: true,
    content: [
      h("p", {}, "Others reach the server only if it listens on an address that they can reach."),
      h("div", { class: "columns" }, field("They may", what), field("In", scope), field("Until", life), field("Note", name)),
      h("div", { class: "buttons start" }, create), made, error.element, h("h3", {}, "Links and tokens that are valid now"), list,
    ],
  });
  void attempt(refresh, error.say);
}
