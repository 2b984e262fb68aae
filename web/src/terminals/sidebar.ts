// The list of sessions: those that need the person first, then the others, with live previews.

import type { App } from "./app";
import { hostText, shortName } from "./data/hosts";
import { printRoute } from "./data/route";
import { ago, lastKnown, type Session, stateText } from "./data/session";
import { type Entry, type Sessions } from "./data/sessions";
import { preview } from "./data/preview";
import type { Connection, Screen } from "./feed";
import { arrange, h, icon, keep, on, setText, tool } from "./html";
import { drawProgress, progressBar } from "./progress";

type Needs = Pick<App, "create" | "draw" | "menu" | "open" | "openSettings" | "palette" | "retry" | "sessions">;

/** An Item is a session in the list. */
type Item = ReturnType<typeof item>;

/** A Group is a section of the list. */
type Group = ReturnType<typeof group>;

/** Sidebar displays the sessions passed to draw, and keeps the search. */
export class Sidebar {
  readonly element: HTMLElement;
  readonly #page: Needs;
  readonly #search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search sessions", autocomplete: "off", spellcheck: "false" });
  readonly #groups = { calling: group("Needs you", "calling"), running: group(SESSIONS, "running"), ended: group("Ended", "ended") };
  readonly #elsewhere = h("div", { class: "elsewhere", hidden: true }); // the groups of other servers
  readonly #hosts = new Map<string, Group>(); // likewise, by name
  #name = ""; // of the server
  readonly #statusText = h("span", { role: "status" });
  readonly #retry = on(h("button", { type: "button", class: "link", hidden: true }, "Try now"), "click", () => this.#page.retry());
  readonly #status = h("footer", { class: "status" }, h("span", { class: "dot" }), this.#statusText, this.#retry);
  readonly #nothing = h("p", { class: "nothing", hidden: true });
  readonly #host = h("span", { class: "host" });
  readonly #create: HTMLButtonElement;
  readonly #items = new Map<string, Item>();
  readonly #inView = new Set<string>();
  readonly #observer: IntersectionObserver;

  constructor(page: Needs, keys: { readonly create: string; readonly palette: string }) {
    this.#page = page;
    this.#create = tool("plus", "New terminal", () => page.create(), keys.create);
    this.element = h(
      "aside", { class: "sidebar", "aria-label": "Sessions" },
      h(
        "header", { class: "bar" }, h("h1", {}, "Terminals"), this.#host, this.#create,
        tool("command", "All actions", () => page.palette(), keys.palette), tool("settings", "Settings", () => page.openSettings()),
      ),
      h("div", { class: "search" }, icon("search"), this.#search),
      h("div", { class: "list", tabindex: "-1" }, this.#groups.calling.element, this.#groups.running.element, this.#elsewhere, this.#groups.ended.element, this.#nothing),
      this.#status,
    );
    on(this.#search, "input", () => page.draw());
    on(this.#search, "keydown", (event) => {
      if (event.key === "Escape" && this.#search.value !== "") {
        this.#search.value = "";
        page.draw();
      } else if (event.key === "ArrowDown") {
        this.#links()[0]?.focus();
      } else if (event.key === "Enter") {
        this.#links()[0]?.click();
      } else {
        return;
      }
      event.preventDefault();
    });
    on(this.element, "keydown", (event) => this.#move(event));
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const name = (target as HTMLElement).dataset["session"] ?? "";
          if (isIntersecting) this.#inView.add(name);
          else this.#inView.delete(name);
        }
        page.draw();
      },
      { root: this.element.querySelector(".list"), rootMargin: "80px 0px" },
    );
  }

  get query(): string {
    return this.#search.value;
  }

  /** The sessions that the person can see in the list. */
  get inView(): ReadonlySet<string> {
    return this.#inView;
  }

  focus(): void {
    this.#search.focus();
  }

  /** focusSession moves the focus to a session in the list, if it is there. */
  focusSession(name: string | undefined): void {
    const link = name === undefined ? undefined : this.#items.get(name)?.link;
    (link?.isConnected === true ? link : this.#search).focus();
  }

  /** server says whose sessions they are, and whether the person may create some. */
  server(host: string, mayCreate: boolean): void {
    this.#name = host;
    setText(this.#host, host);
    this.#host.title = host;
    this.#create.hidden = !mayCreate;
  }

  /** connection says whether the list is up to date. */
  connection(state: Connection | undefined, now: number): void {
    this.#status.dataset["up"] = state === undefined ? "unknown" : String(state.up);
    this.#retry.hidden = state === undefined || state.up;
    if (state === undefined) setText(this.#statusText, "Connecting…");
    else if (state.up) setText(this.#statusText, "Connected");
    else {
      const clock = new Date(state.since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      const seconds = Math.ceil((state.retryAt - now) / 1000);
      setText(this.#statusText, `No connection since ${clock}${seconds > 1 ? `; next try in ${seconds} s` : "; trying…"}`);
    }
  }

  /**
   * draw displays the sessions. selected is the one with the focus, shown are those in panes, and
   * watched is the one that the person is looking at. listed says whether the server has listed them.
   */
  draw(sessions: Sessions, listed: boolean, selected: string | undefined, shown: ReadonlySet<string>, watched: string | undefined, now: number, previews: boolean): void {
    const groups = sessions.groups(this.query, watched);
    const present = new Set<string>();
    const fill = ({ element, count, list }: Group, entries: readonly Entry[], naming: (session: string) => string): void => {
      element.hidden = entries.length === 0;
      setText(count, String(entries.length));
      arrange(list, entries.map((entry) => {
        const { name } = entry.session;
        present.add(name);
        const shownAs = this.#items.get(name) ?? this.#item(name);
        this.#fill(shownAs, entry, naming(name), name === selected, shown.has(name), now, previews);
        return shownAs.element;
      }));
    };
    for (const kind of ["calling", "running", "ended"] as const) fill(this.#groups[kind], groups[kind], (name) => name);
    setText(this.#groups.running.title, groups.elsewhere.length > 0 ? this.#name : SESSIONS);
    this.#elsewhere.hidden = groups.elsewhere.length === 0;
    keep(this.#elsewhere, this.#hosts, groups.elsewhere, ({ host }) => host.name, ({ host }) => group(host.name, "other"), (of, { host, entries }) => {
      fill(of, entries, shortName);
      of.element.hidden = false;
      of.element.dataset["host"] = host.name;
      of.element.dataset["health"] = host.health;
      const far = hostText(host, now);
      setText(of.note, host.health === "healthy" || host.reason === "" ? far : `${far}: ${host.reason}`);
      of.note.title = of.note.textContent;
    });
    for (const [name, item] of this.#items) {
      if (present.has(name)) continue;
      this.#observer.unobserve(item.element);
      item.element.remove();
      this.#items.delete(name);
      this.#inView.delete(name);
    }
    const filtered = this.query.trim() !== "";
    this.#nothing.hidden = present.size > 0 || groups.elsewhere.length > 0;
    this.#nothing.classList.toggle("loading", !listed);
    setText(this.#nothing, !listed ? "Loading…" : filtered && sessions.size > 0 ? "No session matches." : "There are no sessions.");
  }

  /** picture displays a session's screen in its preview. */
  picture(session: string, { lines, fullscreen }: Screen): void {
    const item = this.#items.get(session);
    if (item === undefined) return;
    item.screen.classList.remove("waiting");
    setText(item.screen, preview(lines, fullscreen).join("\n"));
  }

  #item(name: string): Item {
    const made = item(name, this.#page);
    this.#items.set(name, made);
    this.#observer.observe(made.element);
    return made;
  }

  #fill(item: Item, { session, call, progress }: Entry, name: string, selected: boolean, shown: boolean, now: number, previews: boolean): void {
    const { element, link } = item;
    element.dataset["state"] = session.state;
    if (call === undefined) delete element.dataset["need"];
    else element.dataset["need"] = call.need;
    element.classList.toggle("shown", shown);
    element.classList.toggle("away", session.knownAt !== undefined);
    if (selected) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    item.dismiss.hidden = call === undefined;
    setText(item.name, name);
    setText(item.state, call === undefined ? stateText(session) : ago(call.at, now));
    setText(item.detail, call === undefined ? describe(session, now) : call.text);
    item.detail.classList.toggle("calls", call !== undefined);
    const comes = session.knownAt === undefined && session.state !== "ended"; // a picture that is not there yet
    item.screen.hidden = !previews || (!comes && item.screen.classList.contains("waiting"));
    item.recording.hidden = session.recording?.active !== true;
    drawProgress(item.progress, progress);
    const tagged = session.tags.join(" ");
    if (tagged === item.tagged) return;
    item.tagged = tagged;
    item.tags.replaceChildren(...session.tags.map((tag) => h("span", { class: "tag", title: tag }, tag)));
  }

  #links(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>("a.open")];
  }

  #move(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLElement) || event.target.closest("a.open") === null) return;
    const links = this.#links();
    const at = links.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) this.#search.focus();
    else links[Math.min(to, links.length - 1)]?.focus();
  }
}

const SESSIONS = "Sessions";

/** item returns a session of the list, which is to be filled. */
function item(name: string, page: Needs) {
  const parts = {
    name: h("span", { class: "name" }), state: h("span", { class: "state" }), detail: h("span", { class: "detail", dir: "auto" }),
    tags: h("span", { class: "item-tags" }), screen: h("pre", { class: "preview waiting", "aria-hidden": "true" }),
    progress: progressBar(), recording: h("span", { class: "recording", hidden: true }, "recording"),
  };
  const link = h("a", { class: "open", href: printRoute(name, name) }, h("span", { class: "first" }, h("span", { class: "dot" }), parts.name, parts.recording, parts.state), parts.detail, parts.tags, parts.screen, parts.progress);
  const dismiss = tool("check", `Done with ${name}: take it off this list`, () => {
    page.sessions.dismiss(name);
    page.draw();
  });
  const element = h("li", { class: "item", "data-session": name }, link, h("span", { class: "tools" }, dismiss, tool("more", `Actions for ${name}`, () => page.menu(name))));
  on(link, "click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser opens a tab or a window
    event.preventDefault();
    page.open(name);
  });
  on(element, "contextmenu", (event) => {
    event.preventDefault();
    page.menu(name);
  });
  return { element, link, dismiss, ...parts, tagged: "" };
}

/** group returns an empty section. */
function group(title: string, kind: string) {
  const parts = { title: h("span", { class: "of" }, title), count: h("span", { class: "count" }), note: h("span", { class: "far", dir: "auto" }) };
  const heading = h("h2", { id: kind === "other" ? `group-other-${title}` : `group-${kind}` }, parts.title, parts.count, parts.note);
  const list = h("ul", { "aria-labelledby": heading.id });
  return { element: h("section", { class: `group ${kind}`, hidden: true }, heading, list), list, ...parts };
}

/** describe returns in one line what a session is for and how long it has been quiet. */
function describe(session: Session, now: number): string {
  const { title, command, state, attached, activeAt } = session;
  const parts = [title === "" ? command : title];
  const known = lastKnown(session, now);
  if (known !== "") return [...parts, known].join(" · ");
  const others = attached.length;
  if (others > 0) parts.push(`${others} attached`);
  if (state !== "ended" && now - activeAt > 60_000) parts.push(`quiet for ${ago(activeAt, now)}`);
  return parts.join(" · ");
}
