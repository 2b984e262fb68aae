// The dialogs of sessions: create, rename, tag, kill, detach.

import { sessionPath } from "./api";
import type { App } from "./app";
import { shortName } from "./data/hosts";
import { decodeSession, isName, type Session } from "./data/session";
import { field, openDialog, select, text } from "./dialogs";
import { h } from "./html";

type Needs = Pick<App, "api" | "attempt" | "sessions" | "toast">;

function words(value: string): string[] {
  return [...new Set(value.split(/[\s,]+/).filter((word) => word !== ""))];
}

function checkNames(what: string, names: readonly string[]): void {
  const wrong = names.find((name) => !isName(name));
  if (wrong !== undefined) throw new Error(`“${wrong}” cannot be a ${what}: use letters, digits, “-”, “_” and “.”`);
}

/** create asks for a new session, and calls done with its name. */
export function create(page: Needs, done: (name: string) => void): void {
  const name = text("", { maxlength: "64", placeholder: "the first free number" });
  const command = text("", { placeholder: "your shell", class: "mono" });
  const directory = text("", { placeholder: "your home directory", class: "mono" });
  const tags = text("", { placeholder: "none", list: "all-tags" });
  const hosts = page.sessions.hosts.filter(({ health }) => health === "healthy").map(({ name: host }) => [host, host] as const);
  const host = select([["", "this server"], ...hosts], "");
  openDialog({
    title: "New terminal",
    content: [
      ...(hosts.length === 0 ? [] : [field("On", host)]),
      field("Command", command, "A command line. Left empty, an interactive shell starts."),
      field("Name", name),
      field("Directory", directory, "An absolute path."),
      field("Tags", tags, "Separated by spaces."),
      tagList(page),
    ],
    submit: "Create",
    run: async () => {
      const body: Record<string, unknown> = {};
      const wanted = name.value.trim();
      if (wanted !== "") checkNames("name", [wanted]);
      if (host.value !== "") body["name"] = `${host.value}/${wanted}`;
      else if (wanted !== "") body["name"] = wanted;
      if (command.value.trim() !== "") body["command"] = command.value;
      if (directory.value.trim() !== "") body["cwd"] = directory.value.trim();
      const list = words(tags.value);
      checkNames("tag", list);
      if (list.length > 0) body["tags"] = list;
      const made = await make(page, body);
      return () => done(made);
    },
  });
}

/** make creates a session, and returns its name. */
export async function make(page: Needs, body: Readonly<Record<string, unknown>>): Promise<string> {
  const made = decodeSession(await page.api.request("POST", "sessions", body), Date.now());
  if (made === undefined) throw new Error("the server's answer has no session");
  page.sessions.apply("session_created", made, undefined, Date.now());
  return made.name;
}

/** rename asks for another name. */
export function rename(session: Session, page: Needs): void {
  const present = shortName(session.name);
  const name = text(present, { maxlength: "64", required: "" });
  openDialog({
    title: `Rename ${session.name}`,
    content: [field("Name", name, "Links to the session's present name lead nowhere then.")],
    submit: "Rename",
    run: async () => {
      const to = name.value.trim();
      checkNames("name", [to]);
      if (to !== present) await page.api.request("PATCH", sessionPath(session.id), { name: to });
    },
  });
  name.select();
}

/** tag asks for the session's tags. */
export function tag(session: Session, page: Needs): void {
  const tags = text(session.tags.join(" "), { list: "all-tags" });
  openDialog({
    title: `Tags of ${session.name}`,
    content: [field("Tags", tags, "Separated by spaces. Tokens can be limited to sessions with a tag."), tagList(page)],
    submit: "Save",
    run: async () => {
      const list = words(tags.value);
      checkNames("tag", list);
      await page.api.request("PATCH", sessionPath(session.id), {
        add_tags: list.filter((tag) => !session.tags.includes(tag)), remove_tags: session.tags.filter((tag) => !list.includes(tag)),
      });
    },
  });
}

/** kill asks whether to kill a session. One that has ended is removed without a question. */
export function kill(session: Session, page: Needs): void {
  const remove = async (): Promise<void> => {
    await page.api.request("DELETE", sessionPath(session.id));
  };
  if (session.state === "ended") {
    void page.attempt(remove);
    return;
  }
  openDialog({
    title: `Kill ${session.name}?`,
    content: [h("p", {}, "Everything that runs in it ends, and its screen and history are lost. This cannot be undone."), h("p", { class: "mono box" }, session.command)],
    submit: "Kill",
    danger: true,
    run: remove,
  });
}

/** signal sends a signal to what runs in the foreground. */
export function signal({ id, name }: Session, sent: string, page: Needs): void {
  void page.attempt(async () => {
    await page.api.request("POST", sessionPath(id, "/signal"), { signal: sent });
    page.toast(`Sent ${sent} to ${name}`);
  });
}

function tagList(page: Needs): HTMLElement {
  return h("datalist", { id: "all-tags" }, ...page.sessions.tags().map((tag) => h("option", { value: tag })));
}
