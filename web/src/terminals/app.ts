// The page: it brings the list, the panes and the palette together, and owns all state. After a
// change, everything is drawn once, in the next frame.

import { type Action, keysOf, listen } from "./actions";
import { Api, BASE } from "./api";
import { Beside } from "../popup/beside";
import { chime } from "../popup/chime";
import { dialogAt, Sources } from "../popup/sources";
import type { Source } from "./casts";
import { openClients } from "./clients";
import { Credentials } from "./credentials";
import type { Direction, Path, Side } from "./data/layout";
import { Rights } from "./data/rights";
import { readRoute } from "./data/route";
import { inOrder, Sessions } from "./data/sessions";
import { stateText } from "./data/session";
import { FONT_SIZES, type Settings } from "./data/settings";
import { attempt, drawDialogs, openDialog } from "./dialogs";
import { Empty } from "./empty";
import { Entry } from "./entry";
import { type Connection, Feed, type Screen as Picture } from "./feed";
import * as forms from "./forms";
import { h, on } from "./html";
import { KeyRow } from "./keyrow";
import { Notifier } from "./notify";
import { Palette } from "./palette";
import { Panes } from "./panes";
import { Player } from "./player";
import { Preferences } from "./preferences";
import { openRecordings } from "./recordings";
import { look, xterm } from "./look";
import { named, sessionActions } from "./sessionactions";
import type { SessionPane } from "./sessionpane";
import { share } from "./share";
import { Sidebar } from "./sidebar";
import { Workspace } from "./workspace";

// Titles of actions that other parts of the page refer to.
const CREATE = "New terminal…";
const ALL_ACTIONS = "All actions…";
const FIND_ANYTHING = "Find an action or a session";

const TICK = 1000; // milliseconds between drawings while elapsed times are displayed
/**
 * Milliseconds for which a drawing of the server's events waits. A key causes such events and an
 * echo: a frame for the list before the echo has come would delay the echo by a frame.
 */
const SOON = 100;

/** Milliseconds for which the first list waits for the first terminal, which the person has asked for. */
const LIST_WAIT = 400;

/** App is the page. Each part takes as much of it as it needs. */
export class App {
  readonly sessions = new Sessions();
  readonly #preferences = new Preferences(() => this.#configured());
  readonly #notifier = new Notifier((session) => this.open(session));
  readonly #palette = new Palette();
  readonly questions = new Sources((changed) => new Beside(changed, {
    waiting: (count) => {
      if (count === this.#asked) return;
      this.#asked = count;
      this.draw();
    },
    call: () => this.#notifier.ask(this.settings),
  }), dialogAt(new URL("ui/dialog.js", BASE).href));
  #asked = 0; // questions that wait for the person
  #player: Player | undefined; // the last one

  rights = new Rights([], false); // what the person may do
  readonly #workspace = new Workspace();
  #connection: Connection | undefined;
  #listed = false; // whether the server has listed its sessions
  #waits = false; // the list waits for the first terminal to display something
  #drawing = 0;
  #soon: ReturnType<typeof setTimeout> | undefined; // until a drawing
  #settling: ReturnType<typeof setTimeout> | undefined; // until a session no longer asks for input
  readonly #pictures = new Map<string, Picture>(); // of sessions, for their previews, which are not drawn yet

  readonly #credentials = new Credentials(BASE);
  readonly api = new Api(this.#credentials);
  readonly #entry = new Entry(this.#credentials, {
    enter: () => this.#feed.start(),
    expelled: () => this.#expelled(),
    barred: () => {
      this.#shell.hidden = true;
    },
    toast: (text) => this.toast(text),
  });
  readonly #actions = this.#pageActions();
  readonly #sidebar = new Sidebar(this, { create: this.#keysOf(CREATE) ?? "", palette: this.#keysOf(ALL_ACTIONS) ?? "" });
  readonly #panes = new Panes(this);
  readonly #keyrow = new KeyRow((key, ctrl) => this.#pane()?.press(key, ctrl));
  readonly #goneText = h("span", {});
  readonly #gone = h("div", { class: "gone", role: "status", hidden: true }, this.#goneText, on(h("button", { type: "button" }, "Try now"), "click", () => this.retry()));
  readonly #empty = new Empty(this, this.#keysOf(CREATE));
  readonly #main = h("main", { class: "workspace", "aria-label": "Terminal", tabindex: "-1" }, this.#gone, this.#panes.element, this.#empty.element, this.#keyrow.element);
  readonly #veil = on(h("div", { class: "veil" }), "click", () => this.drawer(false));
  readonly #shell = h("div", { class: "shell", hidden: true }, this.#sidebar.element, this.#veil, this.#main);
  readonly #toasts = h("div", { class: "toasts", role: "status" });
  readonly #feed = new Feed(this.api, this.sessions, {
    entered: (rights, hostname) => this.#entered(rights, hostname),
    connection: (state) => {
      this.#shell.hidden = false;
      this.#connection = state;
      this.draw();
    },
    changed: (renamed, listed) => {
      if (renamed !== undefined) this.#renamed(renamed);
      if (this.#listed) return this.#drawSoon();
      if (listed !== true) return;
      this.#listed = true;
      this.#workspace.restore((name) => this.sessions.get(name) !== undefined);
      this.draw();
    },
    screen: (session, screen) => {
      this.#pictures.set(session, screen);
      this.#drawSoon();
    },
    bell: (session) => this.#rang(session),
    refused: (error) => this.#entry.refused(error),
  });

  constructor() {
    this.sessions.isWatched = (session) => this.#watching(session);
    this.sessions.onCall = (session, call) => {
      if (this.#listed && !this.#watching(session.name)) this.#notifier.announce(session.name, call, this.settings);
    };
  }

  /** start displays the page. */
  start(): void {
    this.#entry.takeLinkToken();
    this.#preferences.applyTheme();
    if (readRoute(location.href, BASE).layout !== undefined) void xterm.terminal().catch(() => undefined); // while the server says what the person may do
    document.body.append(this.#entry.element, this.#shell, this.#palette.element, this.#toasts);
    addEventListener("popstate", () => this.#navigated());
    addEventListener("focus", () => {
      this.#attend();
      this.draw();
    });
    addEventListener("blur", () => this.draw());
    document.addEventListener("visibilitychange", () => {
      this.#attend();
      this.draw();
    });
    listen(() => this.#actions);
    setInterval(() => {
      if (document.visibilityState === "visible") this.draw();
    }, TICK);
    this.#configured();
    this.#feed.start();
  }

  #entered(rights: Rights, hostname: string): void {
    this.rights = rights;
    this.#entry.entered();
    this.#shell.hidden = false;
    this.#sidebar.server(hostname, rights.may("manage"));
    if (this.#workspace.layout === undefined) {
      this.#workspace.navigate();
      this.#waits = this.#workspace.layout !== undefined;
      if (this.#waits) setTimeout(() => this.pictured(), LIST_WAIT);
      this.#navigated();
    }
    this.draw();
  }

  /** pictured is called when a terminal displays something, or when it will not soon. */
  pictured(): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.draw();
  }

  retry(): void {
    this.#feed.retry();
  }

  /** #expelled removes what the page displays. */
  #expelled(): void {
    for (const session of this.#workspace.sessions) this.#panes.pane(session)?.view.dispose();
    this.#panes.draw(undefined, undefined);
    this.#workspace.forget();
    this.#listed = false;
    this.#shell.hidden = true;
  }

  get settings(): Settings {
    return this.#preferences.settings;
  }

  /** stale says why the sessions may be others by now; "": they are not. */
  get stale(): string {
    return this.#connection?.up === false ? "The server does not answer, so this list may be old." : this.#listed ? "" : "Loading…";
  }

  // Which sessions are displayed.

  #navigated(): void {
    this.#workspace.navigate();
    this.#drawNow();
    this.#pane()?.view.focus();
  }

  /** open displays a session: in its pane if it has one, else in the place of the selected one. */
  open(session: string): void {
    this.drawer(false);
    this.#workspace.open(session);
    this.#attend();
    this.#drawNow();
    this.#pane()?.view.focus();
  }

  /** #openMade displays a session that was made here, and gives it the size of its pane. */
  #openMade(session: string): void {
    this.open(session);
    this.#pane()?.view.lead();
  }

  select(session: string): void {
    // A pane that is about to close may still get the focus.
    if (!this.#workspace.select(session)) return;
    this.#attend();
    this.draw();
  }

  /** #renamed follows sessions that have other names now: names has the new ones by the old ones. */
  #renamed(names: ReadonlyMap<string, string>): void {
    if (!this.#workspace.rename(names)) return;
    this.#panes.rename(names);
    for (const name of names.values()) this.#panes.pane(name)?.rename(name);
  }

  closePane(session: string | undefined): void {
    if (session === undefined || this.#workspace.layout === undefined) return;
    this.#workspace.close(session);
    this.#drawNow();
    this.#pane()?.view.focus();
  }

  /** resize gives the first part of the split at a path its share, in percent. */
  resize(path: Path, share: number): void {
    this.#workspace.resize(path, share);
    this.draw();
  }

  typed(session: string): void {
    this.#keyrow.takeCtrl();
    if (this.sessions.attend(session)) this.draw();
  }

  /** takeCtrl reports whether the key of the page's own row is held down for the next key, and lets it go. */
  takeCtrl(): boolean {
    return this.#keyrow.takeCtrl();
  }

  /** mine is the name of this page's own client in a session. */
  mine(session: string): string | undefined {
    return this.#panes.pane(session)?.client;
  }

  /** lead gives a session the size of its pane. */
  lead(session: string): void {
    this.#panes.pane(session)?.view.lead();
  }

  /** #pane returns the selected pane. */
  #pane(): SessionPane | undefined {
    return this.#panes.pane(this.#workspace.selected);
  }

  // Calls for the person.

  /** #watching reports whether the person looks at a session. */
  #watching(session: string): boolean {
    return session === this.#workspace.selected && document.visibilityState === "visible" && document.hasFocus();
  }

  /** #watched returns the session that the person looks at. */
  get #watched(): string | undefined {
    const { selected } = this.#workspace;
    return selected !== undefined && this.#watching(selected) ? selected : undefined;
  }

  #attend(): void {
    const watched = this.#watched;
    if (watched !== undefined && this.sessions.attend(watched)) this.draw();
  }

  #rang(session: string): void {
    const { bell } = this.settings;
    if (bell === "none") return;
    if (bell === "sound") chime();
    this.sessions.bell(session, Date.now());
    this.#drawSoon();
  }

  // Drawing.

  /** draw displays what has changed, in the next frame. */
  draw(): void {
    this.#drawing ||= requestAnimationFrame(() => this.#drawNow());
    if (document.visibilityState !== "visible") this.#drawNow(); // hidden pages get no frames
  }

  /** #drawSoon draws what the server has reported, and what it reports in the next moment. */
  #drawSoon(): void {
    this.#soon ??= setTimeout(() => this.draw(), SOON);
  }

  #drawNow(): void {
    cancelAnimationFrame(this.#drawing);
    clearTimeout(this.#soon);
    this.#drawing = 0;
    this.#soon = undefined;
    const now = Date.now();
    const { layout, selected } = this.#workspace;
    const displayed = new Set(this.#workspace.sessions);
    const { settings } = this;
    this.#sidebar.connection(this.#connection, now);
    const watched = this.#watched;
    clearTimeout(this.#settling);
    const settles = this.sessions.settle(now);
    this.#settling = settles === undefined ? undefined : setTimeout(() => this.draw(), settles);
    if (!this.#waits) this.#sidebar.draw(this.sessions, this.#listed, selected, displayed, watched, now, settings.previews);
    for (const [name, picture] of this.#pictures) this.#sidebar.picture(name, picture);
    this.#pictures.clear();
    this.#panes.draw(layout, selected);
    for (const name of displayed) this.#panes.pane(name)?.describe(this.sessions.get(name), this.sessions.host(name), this.sessions.call(name), this.sessions.progress(name), this.#listed, now);
    drawDialogs();
    const down = this.#connection?.up === false ? this.#connection : undefined;
    this.#gone.hidden = down === undefined;
    if (down !== undefined) {
      const clock = new Date(down.since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
      const text = `The server has not answered since ${clock}. The page connects again by itself.`;
      if (this.#goneText.textContent !== text) this.#goneText.textContent = text;
    }
    this.#empty.draw(layout !== undefined ? undefined : !this.#listed ? "waiting" : this.sessions.size === 0 ? "none" : "choose");
    this.#shell.classList.toggle("choosing", layout === undefined && this.sessions.size > 0);
    this.#keyrow.element.hidden = layout === undefined || !this.rights.may("type");
    this.#notifier.status(selected, this.sessions.get(selected ?? "")?.title ?? "", this.sessions.progress(selected ?? ""), Math.max(this.sessions.calls(watched), this.#asked)); // a question may be about a session that calls
    const visible = document.visibilityState === "visible" && settings.previews ? this.#sidebar.inView : new Set<string>();
    this.#feed.follow(this.sessions.all, visible);
  }

  #configured(): void {
    const { settings } = this;
    for (const name of this.#workspace.sessions) {
      const view = this.#panes.pane(name)?.view;
      if (view !== undefined) view.look = look(settings);
    }
    if (this.#player !== undefined) this.#player.look = look(settings);
    this.draw();
  }

  toast(text: string): void {
    const toast = h("p", { class: "toast" }, text);
    this.#toasts.append(toast);
    while (this.#toasts.children.length > 3) this.#toasts.firstElementChild?.remove();
    setTimeout(() => toast.remove(), 6000);
  }

  /** attempt carries out a task, and tells the person why it fails. */
  attempt(task: () => Promise<void>): Promise<void> {
    return attempt(task, (why) => why && this.toast(why));
  }

  refresh(): void {
    this.#feed.refresh();
  }

  watch(source: Source): void {
    this.#player = new Player(source, look(this.settings));
    this.#player.open();
  }

  /** drawer opens or closes the list where it covers the page. */
  drawer(open: boolean): void {
    this.#shell.classList.toggle("drawer", open);
    if (open) this.#sidebar.focusSession(this.#workspace.selected);
  }

  /** leave moves the focus from the terminal to the list. */
  leave(): void {
    if (getComputedStyle(this.#sidebar.element).position === "fixed") this.drawer(true);
    else this.#sidebar.focusSession(this.#workspace.selected);
  }

  // Actions.

  palette(): void {
    const actions = this.#actions.filter(({ title }) => title !== ALL_ACTIONS && title !== FIND_ANYTHING);
    const calling = new Set(this.#callingSessions());
    const sessions = this.#openActions((name) => this.open(name));
    this.#palette.open([
      ...sessions.filter(({ title }) => calling.has(title)), ...actions, ...named(this.#sessionActions(this.#workspace.selected), this.#workspace.selected ?? ""), ...sessions.filter(({ title }) => !calling.has(title)),
    ], FIND_ANYTHING);
  }

  /** #callingSessions returns the names of the sessions that need the person, except the one they look at. */
  #callingSessions(): string[] {
    return this.sessions.groups("", this.#watched).calling.map(({ session }) => session.name);
  }

  #openActions(open: (session: string) => void): Action[] {
    return inOrder(this.sessions.groups()).map(({ session, call }) => ({ title: session.name, note: call?.text ?? `${stateText(session)} · ${session.title === "" ? session.command : session.title}`, run: () => open(session.name) }));
  }

  menu(session: string): void {
    this.#palette.open(this.#sessionActions(session), `What to do with ${session}`);
  }

  /** split asks what to display beside a session. */
  split(session: string | undefined, direction: Direction): void {
    if (session === undefined) return;
    const add = (other: string, made: boolean): void => {
      if (this.#workspace.layout === undefined) return;
      if (this.#workspace.has(other)) this.select(other);
      else this.#workspace.split(session, direction, other);
      this.#drawNow();
      this.#pane()?.view.focus();
      if (made) this.#pane()?.view.lead();
    };
    const fresh: Action[] = this.rights.may("manage")
      ? [{ title: "New terminal", note: "with your shell", run: () => void this.attempt(async () => add(await forms.make(this, {}), true)) }, { title: "New terminal…", note: "with a command", run: () => forms.create(this, (name) => add(name, true)) }]
      : [];
    const others = this.#openActions((name) => add(name, false)).filter(({ title }) => !this.#workspace.has(title));
    this.#palette.open([...fresh, ...others], direction === "h" ? "What to display to the right" : "What to display below");
  }

  /** create asks for a new session, and make makes one with the person's shell. */
  create(): void {
    forms.create(this, (name) => this.#openMade(name));
  }

  make(): void {
    void this.attempt(async () => this.#openMade(await forms.make(this, {})));
  }

  kill(session: string): void {
    const known = this.sessions.get(session);
    if (known !== undefined) forms.kill(known, this);
  }

  attached(session: string): void {
    const known = this.sessions.get(session);
    if (known !== undefined) openClients(known, this);
  }

  openSettings(): void {
    this.#preferences.open(this.#entry.setting(() => {
      document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
      this.#forget();
    }));
  }

  #forget(): void {
    this.#feed.stop();
    this.#entry.forget();
  }

  #sessionActions(name: string | undefined): Action[] {
    const session = this.sessions.get(name ?? "");
    if (session === undefined) return [];
    return sessionActions(session, this.#panes.pane(name), name === this.#workspace.selected, this);
  }

  share(session: string | undefined): void {
    share(this.api, session, this.sessions.tags());
  }

  #go(side: Side): void {
    const to = this.#workspace.neighbour(side);
    if (to === undefined) return;
    this.select(to);
    this.#drawNow();
    this.#pane()?.view.focus();
  }

  #step(by: 1 | -1): void {
    const names = inOrder(this.sessions.groups(this.#sidebar.query)).map(({ session }) => session.name);
    const at = names.indexOf(this.#workspace.selected ?? "");
    const next = names[at < 0 ? 0 : (at + by + names.length) % names.length];
    if (next !== undefined) this.open(next);
  }

  /** #keysOf returns the keys of the action with a title. */
  #keysOf(title: string): string | undefined {
    const action = this.#actions.find((a) => a.title === title);
    return action === undefined ? undefined : keysOf(action);
  }

  /** #pageActions returns the actions that do not depend on one session, in the order of the palette. */
  #pageActions(): readonly Action[] {
    const workspace = this.#workspace;
    const selected = (): boolean => workspace.selected !== undefined;
    const several = (): boolean => workspace.isSplit;
    const enlarge = (by: number) => (): void => {
      const { fontSize } = this.settings;
      this.#preferences.set({ fontSize: Math.min(FONT_SIZES.most, Math.max(FONT_SIZES.least, fontSize + by)) });
    };
    return [
      { title: ALL_ACTIONS, keys: ["Ctrl+Shift+P", "Alt+Shift+P"], run: () => this.palette() },
      { title: FIND_ANYTHING, keys: ["Ctrl+K"], outside: true, run: () => this.palette() },
      { title: "Next session that needs you", keys: ["Alt+Shift+A"], when: () => this.sessions.calls() > 0, run: () => this.#nextCall() },
      { title: CREATE, keys: ["Alt+Shift+N"], when: () => this.rights.may("manage"), run: () => this.create() },
      { title: "Go to a session…", keys: ["Alt+Shift+O"], run: () => this.#palette.open(this.#openActions((name) => this.open(name)), "Go to a session") },
      { title: "Next session", keys: ["Alt+Shift+PageDown"], run: () => this.#step(1) },
      { title: "Previous session", keys: ["Alt+Shift+PageUp"], run: () => this.#step(-1) },
      { title: "Leave the terminal", note: "to the list", keys: ["Ctrl+Shift+M", "Alt+Shift+L"], when: selected, run: () => this.leave() },
      { title: "Search sessions", keys: ["Alt+Shift+S"], run: () => this.#search() },
      { title: "Split right…", keys: ["Alt+Shift+D"], when: selected, run: () => this.split(workspace.selected, "h") },
      { title: "Split down…", keys: ["Alt+Shift+E"], when: selected, run: () => this.split(workspace.selected, "v") },
      { title: "Close pane", note: "the session stays", keys: ["Alt+Shift+W"], when: selected, run: () => this.closePane(workspace.selected) },
      { title: "Only this pane", keys: ["Alt+Shift+Z"], when: several, run: () => this.#only() },
      { title: "Pane to the left", keys: ["Alt+Shift+ArrowLeft"], when: several, run: () => this.#go("left") },
      { title: "Pane to the right", keys: ["Alt+Shift+ArrowRight"], when: several, run: () => this.#go("right") },
      { title: "Pane above", keys: ["Alt+Shift+ArrowUp"], when: several, run: () => this.#go("up") },
      { title: "Pane below", keys: ["Alt+Shift+ArrowDown"], when: several, run: () => this.#go("down") },
      { title: "Larger text", keys: ["Alt+Shift+Equal"], run: enlarge(1) },
      { title: "Smaller text", keys: ["Alt+Shift+Minus"], run: enlarge(-1) },
      { title: "Recordings…", run: () => openRecordings(this) },
      { title: "Links for others…", when: () => this.rights.may("administer"), run: () => this.share(undefined) },
      { title: "Settings…", run: () => this.openSettings() },
      { title: "Keys…", run: () => describeKeys(this.#actions) },
      { title: "Forget the token", when: () => this.#entry.hasToken, run: () => this.#forget() },
    ];
  }

  #only(): void {
    this.#workspace.only();
    this.draw();
  }

  #nextCall(): void {
    const next = this.sessions.nextCall(this.#workspace.selected);
    if (next !== undefined) this.open(next);
  }

  #search(): void {
    this.drawer(true);
    this.#sidebar.focus();
  }
}

/** describeKeys opens a dialog that lists actions with their first keys. */
function describeKeys(actions: readonly Action[]): void {
  const rows = actions.flatMap((action) => (action.keys ?? []).slice(0, 1).map(() => h("tr", {}, h("th", { scope: "row" }, action.title.replace(/…$/, "")), h("td", {}, h("kbd", {}, keysOf(action) ?? "")))));
  openDialog({ title: "Keys", wide: true, content: [h("p", {}, "All other keys go to the terminal that has the focus."), h("table", { class: "keys" }, h("tbody", {}, ...rows))] });
}
