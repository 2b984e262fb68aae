// The page: it brings the list, the panes and the palette together, and owns all state. After a
// change, everything is drawn once, in the next frame.

import { type Action, keysOf, listen } from "./actions";
import { Api, BASE, complain, Refusal } from "./api";
import { Clients } from "./clients";
import { Credentials } from "./credentials";
import { close, grow, has, type Layout, neighbour, parse, print, rename, replace, resize, sessions as sessionsOf, type Side, split } from "./data/layout";
import { pause } from "./data/retry";
import { Rights } from "./data/rights";
import { printRoute, readRoute, takeToken } from "./data/route";
import { Sessions } from "./data/sessions";
import { type Session, stateText } from "./data/session";
import { FONT_SIZES, SIDEBAR } from "./data/settings";
import { openDialog } from "./dialogs";
import { type Connection, Feed, type Screen as Picture } from "./feed";
import { Forms } from "./forms";
import { h, on, tool } from "./html";
import { KeyRow } from "./keyrow";
import { Login } from "./login";
import { Notifier } from "./notify";
import { Palette } from "./palette";
import { Panes } from "./panes";
import { Player } from "./player";
import { Preferences } from "./preferences";
import { Recordings } from "./recordings";
import { look } from "./screen";
import { SessionPane } from "./sessionpane";
import { share } from "./share";
import { Sidebar } from "./sidebar";

const LAYOUT_KEY = "wsh-panes";
const TICK = 1000; // milliseconds between drawings while elapsed times are displayed
/**
 * Milliseconds for which a drawing of the server's events waits. A key causes such events and an
 * echo: a frame for the list before the echo has come would delay the echo by a frame.
 */
const SOON = 100;

const SIGNALS: readonly (readonly [signal: string, what: string])[] = [
  ["INT", "interrupt"], ["TERM", "end"], ["KILL", "end at once"], ["HUP", "hang up"], ["QUIT", "quit"], ["STOP", "pause"], ["CONT", "continue"], ["USR1", "user signal 1"],
];

/** App is the page. */
export class App {
  readonly #credentials = new Credentials(BASE);
  readonly #api = new Api(this.#credentials);
  readonly #sessions = new Sessions();
  readonly #forms = new Forms(this.#api, this.#sessions, (text) => this.#toast(text));
  readonly #preferences = new Preferences(() => this.#configured());
  readonly #notifier = new Notifier((session) => this.#open(session));
  readonly #palette = new Palette();
  readonly #recordings: Recordings;
  readonly #clients: Clients;
  #player: Player | undefined; // the last one
  readonly #login: Login;
  readonly #feed: Feed;
  readonly #sidebar: Sidebar;
  readonly #panes: Panes;
  readonly #keyrow: KeyRow;
  readonly #empty: HTMLElement;
  readonly #main: HTMLElement;
  readonly #shell: HTMLElement;
  readonly #toasts: HTMLElement;
  readonly #gone: HTMLElement;
  readonly #goneText: HTMLElement;

  #rights = new Rights([], false);
  #host = "";
  #layout: Layout | undefined;
  #selected: string | undefined;
  #connection: Connection | undefined;
  #listed = false; // whether the server has listed its sessions
  #drawing = 0;
  #soon: ReturnType<typeof setTimeout> | undefined; // until a drawing
  readonly #pictures = new Map<string, Picture>(); // of sessions, for their previews, which are not drawn yet
  #attempt = 0;
  #entering: ReturnType<typeof setTimeout> | undefined; // waits for the next attempt to enter
  readonly #actions: readonly Action[];

  constructor() {
    this.#login = new Login((token) => {
      this.#credentials.remember(token);
      void this.#enter();
    });
    this.#recordings = new Recordings(this.#api, {
      watch: (source) => {
        this.#player = new Player(source, look(this.#preferences.settings));
        this.#player.open();
      },
      changed: () => this.#feed.refresh(),
      toast: (text) => this.#toast(text),
      mayManage: () => this.#rights.may("manage"),
    });
    this.#clients = new Clients(this.#api, {
      session: (id) => this.#sessions.withID(id),
      mine: (session) => this.#sessionPane(session)?.client,
      mayManage: () => this.#rights.may("manage"),
      mayType: () => this.#rights.may("type"),
      lead: (session) => this.#sessionPane(session)?.lead(),
      refresh: () => this.#feed.refresh(),
    });
    this.#actions = this.#makeActions();
    const keys = (title: string): string => keysOf(this.#actions.find((a) => a.title === title) ?? { title, run: () => undefined }) ?? "";
    this.#sidebar = new Sidebar(
      {
        open: (session) => this.#open(session),
        menu: (session) => this.#menu(session),
        dismiss: (session) => {
          this.#sessions.dismiss(session);
          this.#draw();
        },
        create: () => this.#create(),
        palette: () => this.#openPalette(),
        settings: () => this.#settings(),
        retry: () => this.#retry(),
        address: (session) => printRoute(session, session),
        visible: () => this.#draw(),
        filtered: () => this.#draw(),
      },
      { create: keys("New terminal…"), palette: keys("All actions…") },
    );
    this.#panes = new Panes({
      make: (session) => this.#makePane(session),
      selected: (session) => this.#select(session),
      resized: (path, share) => {
        if (this.#layout !== undefined) this.#arrange(resize(this.#layout, path, share));
      },
    });
    this.#keyrow = new KeyRow({
      press: (key, ctrl) => this.#pane()?.press(key, ctrl),
      type: (text) => this.#pane()?.type(text),
      ctrl: (down) => this.#pane()?.holdCtrl(down, () => this.#keyrow.release()),
    });
    this.#goneText = h("span", {});
    this.#gone = h("div", { class: "gone", role: "status", hidden: true }, this.#goneText, on(h("button", { type: "button" }, "Try now"), "click", () => this.#retry()));
    this.#empty = h("section", { class: "empty", hidden: true });
    this.#main = h("main", { class: "workspace", "aria-label": "Terminal", tabindex: "-1" }, this.#gone, this.#panes.element, this.#empty, this.#keyrow.element);
    const edge = h("div", { class: "edge", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the list", "aria-valuemin": SIDEBAR.least, "aria-valuemax": SIDEBAR.most });
    const veil = on(h("div", { class: "veil" }), "click", () => this.#drawer(false));
    this.#shell = h("div", { class: "shell", hidden: true }, this.#sidebar.element, edge, veil, this.#main);
    this.#toasts = h("div", { class: "toasts", role: "status" });
    this.#edge(edge);
    this.#feed = new Feed(this.#api, {
      connection: (state) => {
        this.#connection = state;
        this.#draw();
      },
      sessions: (list) => {
        this.#renamed(this.#sessions.replace(list, Date.now()));
        if (this.#listed) {
          this.#drawSoon();
          return;
        }
        this.#listed = true;
        this.#restore();
        this.#draw();
      },
      changed: (change, session, oldName) => {
        this.#renamed(this.#sessions.apply(change, session, oldName, Date.now()));
        this.#drawSoon();
      },
      screen: (session, screen) => {
        this.#pictures.set(session, screen);
        this.#drawSoon();
      },
      command: (session, code, ms) => {
        if (!this.#watching(session)) this.#sessions.over(session, code, ms, Date.now());
        this.#drawSoon();
      },
      bell: (session) => this.#rang(session),
      notification: (session, title, body) => {
        if (!this.#watching(session)) this.#sessions.notification(session, title, body, Date.now());
        this.#drawSoon();
      },
      title: (session, title) => {
        this.#sessions.title(session, title);
        this.#drawSoon();
      },
      progress: (session, progress) => {
        this.#sessions.setProgress(session, progress);
        this.#drawSoon();
      },
      refused: (error) => this.#refused(error),
    });
    this.#sessions.onCall = (session, call) => {
      if (this.#listed && !this.#watching(session.name)) this.#notifier.announce(session.name, call, this.#preferences.settings);
    };
  }

  /** start displays the page. */
  start(): void {
    const { token, rest } = takeToken(location.hash);
    if (token !== undefined) {
      this.#credentials.borrow(token);
      history.replaceState(history.state, "", location.pathname + location.search + rest); // the token leaves the address at once
    }
    this.#preferences.applyTheme();
    document.body.append(this.#login.element, this.#shell, this.#palette.element, this.#toasts);
    addEventListener("popstate", () => this.#navigated());
    addEventListener("focus", () => {
      this.#attend();
      this.#draw();
    });
    addEventListener("blur", () => this.#draw());
    document.addEventListener("visibilitychange", () => {
      this.#attend();
      this.#draw();
    });
    listen(() => this.#actions);
    setInterval(() => {
      if (document.visibilityState === "visible") this.#draw();
    }, TICK);
    this.#configured();
    void this.#enter();
  }

  /** #enter asks the server what the person may do, and follows it. */
  async #enter(): Promise<void> {
    clearTimeout(this.#entering);
    this.#entering = undefined;
    let info: { rights?: unknown; limited?: unknown; hostname?: unknown };
    try {
      info = ((await this.#api.request("GET", "server/info")) ?? {}) as typeof info;
    } catch (error) {
      if (error instanceof Refusal && error.status !== 429 && error.status < 500) {
        this.#refused(error);
        return;
      }
      this.#shell.hidden = false;
      const wait = pause(this.#attempt++, Math.random());
      this.#connection = { up: false, since: this.#connection?.up === false ? this.#connection.since : Date.now(), retryAt: Date.now() + wait };
      this.#draw();
      this.#entering = setTimeout(() => void this.#enter(), wait);
      return;
    }
    this.#attempt = 0;
    this.#rights = new Rights(Array.isArray(info.rights) ? info.rights.map(String) : [], info.limited === true);
    this.#host = String(info.hostname ?? "");
    this.#login.hide();
    this.#shell.hidden = false;
    this.#sidebar.server(this.#host, this.#rights.may("manage"));
    if (this.#layout === undefined) this.#navigated();
    this.#feed.start();
    this.#draw();
  }

  /** #retry connects now. */
  #retry(): void {
    if (this.#entering !== undefined) void this.#enter();
    else this.#feed.retry();
  }

  /** #refused asks for a token, or says why the server admits nobody. */
  #refused(error: Refusal): void {
    this.#feed.stop();
    if (error.needsToken) {
      const had = this.#credentials.token() !== undefined;
      const borrowed = this.#credentials.fromLink();
      this.#credentials.forget();
      if (borrowed && this.#credentials.token() !== undefined) {
        this.#toast("The link has ended. This browser's own token is in use.");
        void this.#enter();
        return;
      }
      for (const session of this.#layout === undefined ? [] : sessionsOf(this.#layout)) this.#panes.pane(session)?.close();
      this.#panes.draw(undefined, undefined);
      this.#layout = undefined;
      this.#listed = false;
      this.#shell.hidden = true;
      this.#login.ask(!had ? "" : borrowed ? "The link is wrong, or has ended. Ask for a new one, or enter a token." : "The token is wrong, has expired or was withdrawn.");
      return;
    }
    this.#shell.hidden = true;
    this.#login.refuse(complain(error));
  }

  // Which sessions are displayed.

  #navigated(): void {
    const { session, layout } = readRoute(location.href, BASE);
    this.#layout = layout;
    this.#selected = session;
    this.#drawNow();
    this.#pane()?.focus();
  }

  /** #restore opens the panes of the last time, where the address names none. */
  #restore(): void {
    if (this.#layout !== undefined) return;
    let stored: Layout | undefined;
    try {
      stored = parse(localStorage.getItem(LAYOUT_KEY) ?? "");
    } catch {
      return;
    }
    for (const name of stored === undefined ? [] : sessionsOf(stored)) {
      if (stored !== undefined && this.#sessions.get(name) === undefined) stored = close(stored, name);
    }
    if (stored === undefined) return;
    this.#layout = stored;
    this.#selected = sessionsOf(stored)[0];
    this.#record(false);
  }

  /** #record puts what is displayed into the address. */
  #record(entry: boolean): void {
    const url = new URL(printRoute(this.#selected, this.#layout), BASE).href;
    if (url !== location.href) {
      if (entry) history.pushState(null, "", url);
      else history.replaceState(null, "", url);
    }
    try {
      if (this.#layout === undefined) localStorage.removeItem(LAYOUT_KEY);
      else localStorage.setItem(LAYOUT_KEY, print(this.#layout));
    } catch {
      // the address has it in any case
    }
  }

  /** #open displays a session: in its pane if it has one, else in the place of the selected one. */
  #open(session: string): void {
    this.#drawer(false);
    if (this.#layout === undefined || this.#selected === undefined) this.#layout = session;
    else if (!has(this.#layout, session)) this.#layout = replace(this.#layout, this.#selected, session);
    this.#selected = session;
    this.#record(true);
    this.#attend();
    this.#drawNow();
    this.#pane()?.focus();
  }

  /** #openMade displays a session that was made here, and gives it the size of its pane. */
  #openMade(session: string): void {
    this.#open(session);
    this.#pane()?.lead();
  }

  #select(session: string): void {
    // A pane that is about to close may still get the focus.
    if (session === this.#selected || this.#layout === undefined || !has(this.#layout, session)) return;
    this.#selected = session;
    this.#record(false);
    this.#attend();
    this.#draw();
  }

  #arrange(layout: Layout | undefined): void {
    this.#layout = layout;
    if (layout === undefined) this.#selected = undefined;
    else if (this.#selected === undefined || !has(layout, this.#selected)) this.#selected = sessionsOf(layout)[0];
    this.#record(false);
    this.#draw();
  }

  /** #renamed follows sessions that have other names now: names has the new ones by the old ones. */
  #renamed(names: ReadonlyMap<string, string>): void {
    const layout = this.#layout;
    if (layout === undefined || !sessionsOf(layout).some((name) => names.has(name))) return;
    this.#panes.rename(names);
    for (const name of names.values()) this.#sessionPane(name)?.rename(name);
    this.#layout = rename(layout, names);
    this.#selected = names.get(this.#selected ?? "") ?? this.#selected;
    this.#record(false);
  }

  #closePane(session: string | undefined): void {
    if (session === undefined || this.#layout === undefined) return;
    const next = neighbour(this.#layout, session, "left") ?? neighbour(this.#layout, session, "up");
    const rest = close(this.#layout, session);
    if (this.#selected === session && next !== undefined) this.#selected = next;
    this.#arrange(rest);
    this.#drawNow();
    this.#pane()?.focus();
  }

  #makePane(session: string): SessionPane {
    return new SessionPane(session, {
      api: this.#api, readOnly: !this.#rights.may("type"), settings: this.#preferences.settings,
      menu: (name) => this.#menu(name),
      clients: (name) => {
        const known = this.#sessions.get(name);
        if (known !== undefined) this.#clients.open(known);
      },
      split: (name, direction) => this.#split(name, direction),
      close: (name) => this.#closePane(name),
      remove: (name) => {
        const known = this.#sessions.get(name);
        if (known !== undefined) this.#forms.kill(known);
      },
      drawer: () => this.#drawer(true),
      leave: () => this.#leave(),
      typed: (name) => {
        this.#keyrow.release();
        if (this.#sessions.attend(name)) this.#draw();
      },
      toast: (text) => this.#toast(text),
      mayManage: this.#rights.may("manage"),
    });
  }

  #sessionPane(session: string | undefined): SessionPane | undefined {
    const pane = this.#panes.pane(session);
    return pane instanceof SessionPane ? pane : undefined;
  }

  /** #pane returns the selected pane. */
  #pane(): SessionPane | undefined {
    return this.#sessionPane(this.#selected);
  }

  // Calls for the person.

  /** #watching reports whether the person looks at a session. */
  #watching(session: string): boolean {
    return session === this.#selected && document.visibilityState === "visible" && document.hasFocus();
  }

  #attend(): void {
    if (this.#selected !== undefined && this.#watching(this.#selected) && this.#sessions.attend(this.#selected)) this.#draw();
  }

  #rang(session: string): void {
    const { bell } = this.#preferences.settings;
    if (bell === "none") return;
    if (bell === "sound") this.#notifier.ring();
    if (!this.#watching(session)) this.#sessions.bell(session, Date.now());
    this.#drawSoon();
  }

  // Drawing.

  #draw(): void {
    this.#drawing ||= requestAnimationFrame(() => this.#drawNow());
    if (document.visibilityState !== "visible") this.#drawNow(); // hidden pages get no frames
  }

  /** #drawSoon draws what the server has reported, and what it reports in the next moment. */
  #drawSoon(): void {
    this.#soon ??= setTimeout(() => this.#draw(), SOON);
  }

  #drawNow(): void {
    cancelAnimationFrame(this.#drawing);
    clearTimeout(this.#soon);
    this.#drawing = 0;
    this.#soon = undefined;
    const now = Date.now();
    const shown = new Set(this.#layout === undefined ? [] : sessionsOf(this.#layout));
    const { settings } = this.#preferences;
    this.#sidebar.connection(this.#connection, now);
    const watched = this.#selected !== undefined && this.#watching(this.#selected) ? this.#selected : undefined;
    this.#sidebar.draw(this.#sessions, this.#listed, this.#selected, shown, watched, now, settings.previews);
    for (const [name, picture] of this.#pictures) this.#sidebar.picture(name, picture);
    this.#pictures.clear();
    this.#panes.draw(this.#layout, this.#selected);
    for (const name of shown) this.#sessionPane(name)?.describe(this.#sessions.get(name), this.#sessions.call(name), this.#sessions.progress(name), this.#listed);
    const all = this.#sessions.names().flatMap((name) => this.#sessions.get(name) ?? []);
    this.#recordings.draw(all, this.#listed, this.#connection?.up !== false, now);
    this.#clients.draw();
    const down = this.#connection?.up === false ? this.#connection : undefined;
    this.#gone.hidden = down === undefined;
    if (down !== undefined) {
      const clock = new Date(down.since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
      const text = `The server has not answered since ${clock}. The page connects again by itself.`;
      if (this.#goneText.textContent !== text) this.#goneText.textContent = text;
    }
    this.#drawEmpty();
    this.#shell.classList.toggle("choosing", this.#layout === undefined && this.#sessions.size > 0);
    this.#keyrow.element.hidden = this.#layout === undefined || !this.#rights.may("type");
    this.#notifier.status(this.#selected, this.#sessions.get(this.#selected ?? "")?.title ?? "", this.#sessions.progress(this.#selected ?? ""), this.#sessions.calls(watched));
    const visible = document.visibilityState === "visible" && settings.previews ? this.#sidebar.inView : new Set<string>();
    this.#feed.follow(all, visible);
  }

  #drawEmpty(): void {
    const kind = this.#layout !== undefined ? "" : !this.#listed ? "waiting" : this.#sessions.size === 0 ? "none" : "choose";
    this.#empty.hidden = kind === "";
    if (this.#empty.dataset["kind"] === kind) return;
    this.#empty.dataset["kind"] = kind;
    const create = (): HTMLElement => {
      const key = keysOf(this.#actions.find(({ title }) => title === "New terminal…") ?? { title: "", run: () => undefined });
      const button = h("button", { type: "button", class: "primary" }, "New terminal", key === undefined ? undefined : h("kbd", {}, key));
      return on(button, "click", () => void this.#forms.try(async () => this.#openMade(await this.#forms.make({}))));
    };
    const manage = this.#rights.may("manage");
    const drawer = tool("menu", "Sessions", () => this.#drawer(true));
    drawer.classList.add("drawer-button");
    switch (kind) {
      case "none":
        this.#empty.replaceChildren(
          drawer,
          h("h2", {}, "No terminals yet"),
          h("p", {}, this.#rights.limited ? "Sessions that your token covers appear here." : "Sessions that you, a script or an agent start on this server appear here."),
          ...(manage ? [create(), h("p", { class: "hint" }, "On the command line: ", h("code", {}, "wsh"), " starts one, too.")] : [h("p", { class: "hint" }, "Your token does not allow creating any.")]),
        );
        break;
      case "choose":
        this.#empty.replaceChildren(
          drawer,
          h("h2", {}, "Choose a session"),
          h("p", {}, "The list has them; those that need you come first."),
          ...(manage ? [create()] : []),
        );
        break;
      case "waiting":
        this.#empty.replaceChildren();
        break;
    }
  }

  #configured(): void {
    const { settings } = this.#preferences;
    document.documentElement.style.setProperty("--sidebar", `${settings.sidebar}px`);
    for (const name of this.#layout === undefined ? [] : sessionsOf(this.#layout)) this.#sessionPane(name)?.configure(settings);
    if (this.#player !== undefined) this.#player.look = look(settings);
    this.#draw();
  }

  #toast(text: string): void {
    const toast = h("p", { class: "toast" }, text);
    this.#toasts.append(toast);
    while (this.#toasts.children.length > 3) this.#toasts.firstElementChild?.remove();
    setTimeout(() => toast.remove(), 6000);
  }

  /** #drawer opens or closes the list where it covers the page. */
  #drawer(open: boolean): void {
    this.#shell.classList.toggle("drawer", open);
    if (open) this.#sidebar.focusSession(this.#selected);
  }

  /** #leave moves the focus from the terminal to the list. */
  #leave(): void {
    if (getComputedStyle(this.#sidebar.element).position === "fixed") this.#drawer(true);
    else this.#sidebar.focusSession(this.#selected);
  }

  #edge(edge: HTMLElement): void {
    const set = (width: number): void => {
      const sidebar = Math.round(Math.min(SIDEBAR.most, Math.max(SIDEBAR.least, width)));
      this.#preferences.set({ sidebar });
      edge.setAttribute("aria-valuenow", String(sidebar));
    };
    edge.setAttribute("aria-valuenow", String(this.#preferences.settings.sidebar));
    on(edge, "pointerdown", (event) => {
      event.preventDefault();
      edge.setPointerCapture(event.pointerId);
    });
    on(edge, "pointermove", (event) => {
      if (edge.hasPointerCapture(event.pointerId)) set(event.clientX);
    });
    on(edge, "keydown", (event) => {
      const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      set(this.#preferences.settings.sidebar + step);
    });
  }

  // Actions.

  #openPalette(): void {
    const actions = this.#actions.filter(({ title }) => title !== "All actions…" && title !== "Find an action or a session");
    const calling = new Set(this.#callingSessions());
    const sessions = this.#openActions((name) => this.#open(name));
    this.#palette.open([
      ...sessions.filter(({ title }) => calling.has(title)), ...actions, ...this.#sessionActions(this.#selected), ...sessions.filter(({ title }) => !calling.has(title)),
    ], "Find an action or a session");
  }

  /** #callingSessions returns the names of the sessions that need the person, except the one they look at. */
  #callingSessions(): string[] {
    const watched = this.#selected !== undefined && this.#watching(this.#selected) ? this.#selected : undefined;
    return this.#sessions.groups("", new Set(), watched).calling.map(({ session }) => session.name);
  }

  #openActions(open: (session: string) => void): Action[] {
    const { calling, running, ended } = this.#sessions.groups("", new Set());
    return [...calling, ...running, ...ended].map(({ session, call }) => ({ title: session.name, note: call?.text ?? `${stateText(session)} · ${session.title === "" ? session.command : session.title}`, run: () => open(session.name) }));
  }

  #menu(session: string): void {
    this.#palette.open(this.#sessionActions(session), `What to do with ${session}`);
  }

  #split(session: string | undefined, direction: "h" | "v"): void {
    if (session === undefined) return;
    const add = (other: string, made: boolean): void => {
      if (this.#layout === undefined) return;
      if (has(this.#layout, other)) this.#select(other);
      else {
        this.#layout = split(this.#layout, session, direction, other);
        this.#selected = other;
        this.#record(true);
      }
      this.#drawNow();
      this.#pane()?.focus();
      if (made) this.#pane()?.lead();
    };
    const fresh: Action[] = this.#rights.may("manage")
      ? [{ title: "New terminal", note: "with your shell", run: () => void this.#forms.try(async () => add(await this.#forms.make({}), true)) }, { title: "New terminal…", note: "with a command", run: () => this.#forms.create((name) => add(name, true)) }]
      : [];
    const others = this.#openActions((name) => add(name, false)).filter(({ title }) => this.#layout === undefined || !has(this.#layout, title));
    this.#palette.open([...fresh, ...others], direction === "h" ? "What to display to the right" : "What to display below");
  }

  #create(): void {
    this.#forms.create((name) => this.#openMade(name));
  }

  #settings(): void {
    const forget = h("button", { type: "button" }, "Forget the token");
    const hasToken = this.#credentials.token() !== undefined;
    const closeDialog = { run: (): void => undefined };
    on(forget, "click", () => {
      closeDialog.run();
      this.#forget();
    });
    const where = this.#credentials.fromLink() ? "This tab uses the token of a link." : "This browser keeps the server's token.";
    this.#preferences.open(hasToken ? [h("div", { class: "field" }, h("p", {}, where), forget)] : []);
    closeDialog.run = () => document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  }

  #forget(): void {
    this.#credentials.forget();
    this.#feed.stop();
    location.reload();
  }

  #sessionActions(name: string | undefined): Action[] {
    const session = this.#sessions.get(name ?? "");
    if (name === undefined || session === undefined) return [];
    const manage = (): boolean => this.#rights.may("manage");
    const type = (): boolean => this.#rights.may("type") && session.state !== "ended";
    const list: Action[] = [];
    if (name !== this.#selected) list.push({ title: `Open ${name}`, run: () => this.#open(name) });
    const pane = this.#sessionPane(name);
    if (pane !== undefined) list.push(...pane.actions().map((action) => ({ ...action, note: name })));
    list.push(
      { title: "Rename…", note: name, when: manage, run: () => this.#forms.rename(session) },
      { title: "Edit tags…", note: name, when: manage, run: () => this.#forms.tag(session) },
      { title: "Who is attached…", note: `see, detach · ${name}`, when: () => session.state !== "ended", run: () => this.#clients.open(session) },
      ...this.#recordingActions(session),
      { title: session.state === "ended" ? "Remove" : "Kill…", note: name, when: manage, run: () => this.#forms.kill(session) },
      { title: "Copy link", note: `to ${name}`, run: () => void this.#forms.try(async () => {
        await navigator.clipboard.writeText(new URL(printRoute(name, name), BASE).href);
        this.#toast("Copied the link");
      }) },
      { title: "Links for others…", note: name, when: () => this.#rights.may("administer"), run: () => this.#share(name) },
      ...SIGNALS.map(([signal, what]) => ({ title: `Send ${signal}`, note: `${what} · ${name}`, when: type, run: () => this.#forms.signal(session, signal) })),
    );
    return list;
  }

  #recordingActions(session: Session): Action[] {
    const { name, recording } = session;
    const manage = (): boolean => this.#rights.may("manage");
    const [active, kept] = [recording?.active === true, recording !== undefined];
    return [
      { title: "Record", note: `what the program writes · ${name}`, when: () => manage() && !active && session.state !== "ended", run: () => this.#recordings.start(session) },
      { title: "Stop the recording", note: name, when: () => manage() && active, run: () => this.#recordings.stop(session) },
      { title: "Watch the recording", note: name, when: () => kept, run: () => this.#recordings.watch(session) },
      { title: "Download the recording", note: name, when: () => kept, run: () => this.#recordings.download(session) },
      { title: "Delete the recording…", note: name, when: () => manage() && kept, run: () => this.#recordings.remove(session) },
    ];
  }

  #share(session: string | undefined): void {
    share(this.#api, session, this.#sessions.tags().map(({ tag }) => tag));
  }

  #go(side: Side): void {
    if (this.#layout === undefined || this.#selected === undefined) return;
    const to = neighbour(this.#layout, this.#selected, side);
    if (to === undefined) return;
    this.#select(to);
    this.#drawNow();
    this.#pane()?.focus();
  }

  #step(by: 1 | -1): void {
    const { calling, running, ended } = this.#sessions.groups(this.#sidebar.query, this.#sidebar.tags);
    const names = [...calling, ...running, ...ended].map(({ session }) => session.name);
    const at = names.indexOf(this.#selected ?? "");
    const next = names[at < 0 ? 0 : (at + by + names.length) % names.length];
    if (next !== undefined) this.#open(next);
  }

  #makeActions(): Action[] {
    const open = (): boolean => this.#selected !== undefined;
    const several = (): boolean => this.#layout !== undefined && typeof this.#layout !== "string";
    const manage = (): boolean => this.#rights.may("manage");
    const size = (by: number): void => {
      const { fontSize } = this.#preferences.settings;
      this.#preferences.set({ fontSize: Math.min(FONT_SIZES.most, Math.max(FONT_SIZES.least, fontSize + by)) });
    };
    const larger = (direction: "h" | "v", percent: number): void => {
      if (this.#layout !== undefined && this.#selected !== undefined) this.#arrange(grow(this.#layout, this.#selected, direction, percent));
    };
    return [
      { title: "All actions…", keys: ["Ctrl+Shift+P", "Alt+Shift+P"], run: () => this.#openPalette() },
      { title: "Find an action or a session", keys: ["Ctrl+K"], outside: true, run: () => this.#openPalette() },
      { title: "Next session that needs you", keys: ["Alt+Shift+A"], when: () => this.#sessions.calls() > 0, run: () => {
        const next = this.#sessions.nextCall(this.#selected);
        if (next !== undefined) this.#open(next);
      } },
      { title: "New terminal…", keys: ["Alt+Shift+N"], when: manage, run: () => this.#create() },
      { title: "Go to a session…", keys: ["Alt+Shift+O"], run: () => this.#palette.open(this.#openActions((name) => this.#open(name)), "Go to a session") },
      { title: "Next session", keys: ["Alt+Shift+PageDown"], run: () => this.#step(1) },
      { title: "Previous session", keys: ["Alt+Shift+PageUp"], run: () => this.#step(-1) },
      { title: "Leave the terminal", note: "to the list", keys: ["Ctrl+Shift+M", "Alt+Shift+L"], when: open, run: () => this.#leave() },
      { title: "Search sessions", keys: ["Alt+Shift+S"], run: () => {
        this.#drawer(true);
        this.#sidebar.focus();
      } },
      { title: "Split right…", keys: ["Alt+Shift+D"], when: open, run: () => this.#split(this.#selected, "h") },
      { title: "Split down…", keys: ["Alt+Shift+E"], when: open, run: () => this.#split(this.#selected, "v") },
      { title: "Close pane", note: "the session stays", keys: ["Alt+Shift+W"], when: open, run: () => this.#closePane(this.#selected) },
      { title: "Only this pane", keys: ["Alt+Shift+Z"], when: several, run: () => this.#arrange(this.#selected) },
      { title: "Pane to the left", keys: ["Alt+Shift+ArrowLeft"], when: several, run: () => this.#go("left") },
      { title: "Pane to the right", keys: ["Alt+Shift+ArrowRight"], when: several, run: () => this.#go("right") },
      { title: "Pane above", keys: ["Alt+Shift+ArrowUp"], when: several, run: () => this.#go("up") },
      { title: "Pane below", keys: ["Alt+Shift+ArrowDown"], when: several, run: () => this.#go("down") },
      { title: "Wider pane", keys: ["Alt+Shift+Period"], when: several, run: () => larger("h", 5) },
      { title: "Narrower pane", keys: ["Alt+Shift+Comma"], when: several, run: () => larger("h", -5) },
      { title: "Higher pane", keys: ["Ctrl+Alt+Shift+ArrowUp"], when: several, run: () => larger("v", 5) },
      { title: "Lower pane", keys: ["Ctrl+Alt+Shift+ArrowDown"], when: several, run: () => larger("v", -5) },
      { title: "Larger text", keys: ["Alt+Shift+Equal"], run: () => size(1) },
      { title: "Smaller text", keys: ["Alt+Shift+Minus"], run: () => size(-1) },
      { title: "Recordings…", run: () => this.#recordings.open() },
      { title: "Links for others…", when: () => this.#rights.may("administer"), run: () => this.#share(undefined) },
      { title: "Settings…", run: () => this.#settings() },
      { title: "Keys…", run: () => this.#help() },
      { title: "Forget the token", when: () => this.#credentials.token() !== undefined, run: () => this.#forget() },
    ];
  }

  #help(): void {
    const rows = this.#actions.flatMap((action) => (action.keys ?? []).slice(0, 1).map(() => h("tr", {}, h("th", { scope: "row" }, action.title.replace(/…$/, "")), h("td", {}, h("kbd", {}, keysOf(action) ?? "")))));
    openDialog({ title: "Keys", wide: true, content: [h("p", {}, "All other keys go to the terminal that has the focus."), h("table", { class: "keys" }, h("tbody", {}, ...rows))] });
  }
}
