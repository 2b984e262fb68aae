// One WebSocket that follows all sessions: their changes, and their calls for the person. It gets
// only the screens that the list displays, at most once a second.

import { type Api, Refusal } from "./api";
import { decodeHosts } from "./data/hosts";
import { pause } from "./data/retry";
import { decodeProgress, decodeSession, decodeSessions, type Session } from "./data/session";
import { isChange, type Sessions } from "./data/sessions";

/** Milliseconds between two pictures of a preview. */
const PREVIEW_INTERVAL = 1000;
/** Milliseconds between two lists, which report what no event does, such as the last activity. */
const LIST_INTERVAL = 10_000;
/** Milliseconds for which requests for a list wait for more of them. */
const REFRESH = 50;
/** The greatest number of sessions to which the page subscribes. */
const MOST = 256;
/** Milliseconds after which an attempt to connect counts as failed. */
const PATIENCE = 15_000;

const EVENTS = ["command", "bell", "notification", "title", "progress", "client"];

/** A Screen is what a preview needs of one. */
export interface Screen {
  readonly lines: readonly string[];
  readonly fullscreen: boolean;
}

/** Connection says whether the page follows the server. since is in milliseconds. */
export type Connection =
  | { readonly up: true }
  | { readonly up: false; readonly since: number; readonly retryAt: number | undefined };

export interface FeedEvents {
  connection(state: Connection): void;
  /**
   * changed is called when the sessions have changed. renamed has the new names of some by the old
   * ones, and listed says that the server has listed all.
   */
  changed(renamed: ReadonlyMap<string, string>, listed: boolean): void;
  screen(session: string, screen: Screen): void;
  bell(session: string): void;
  /** refused is called when the server does not admit the page. The feed has stopped. */
  refused(error: Refusal): void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Answered gets the result of a request; undefined if it has failed. */
type Answered = (result: unknown) => void;

/** Feed keeps sessions as a server has them. It connects again by itself. */
export class Feed {
  readonly #api: Api;
  readonly #sessions: Sessions;
  readonly #events: FeedEvents;
  #socket: WebSocket | undefined;
  #run = 0; // counts starts and stops, so that a late answer of an earlier one does nothing
  #attempt = 0;
  #blocked = false; // the last attempt opened no connection
  #downSince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lister: ReturnType<typeof setInterval> | undefined;
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #serial = 0;
  readonly #asked = new Map<number, Answered>(); // requests that have no answer yet
  readonly #subscribed = new Map<string, { readonly seen: boolean }>(); // by session: the newest subscription, with screens where they are seen
  readonly #pictured = new Set<string>(); // ended sessions of which the last screen was requested
  readonly #refused = new Set<string>(); // sessions of which a request has failed since the last list
  #known: readonly Session[] = [];
  #visible: ReadonlySet<string> = new Set();

  constructor(api: Api, sessions: Sessions, events: FeedEvents) {
    this.#api = api;
    this.#sessions = sessions;
    this.#events = events;
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.retry();
    });
  }

  /** start connects. */
  start(): void {
    this.stop();
    void this.#connect(++this.#run);
  }

  /** stop disconnects. */
  stop(): void {
    this.#run++;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lost();
  }

  /** retry connects now if the feed waits for its next attempt. */
  retry(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#connect(++this.#run);
  }

  /** refresh asks for the list of sessions soon. */
  refresh(): void {
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      this.#list();
    }, REFRESH);
  }

  /** follow says which sessions there are, and which of them the person can see in the list. */
  follow(known: readonly Session[], visible: ReadonlySet<string>): void {
    this.#known = known;
    this.#visible = visible;
    this.#subscribe();
  }

  async #connect(run: number): Promise<void> {
    let url: string;
    try {
      // A server that has refused an upgrade does not say why, but it does when it is asked.
      if (this.#blocked) await this.#api.request("GET", "server/info");
      url = await this.#api.socket("ws/json?client=page-events");
    } catch (error) {
      if (run !== this.#run) return;
      if (error instanceof Refusal && error.status !== 429 && error.status < 500) {
        this.stop();
        this.#events.refused(error);
      } else {
        this.#again(run);
      }
      return;
    }
    if (run !== this.#run) return;
    const socket = new WebSocket(url);
    this.#socket = socket;
    const late = setTimeout(() => socket.close(), PATIENCE);
    this.#blocked = true;
    socket.onmessage = ({ data }) => {
      if (run === this.#run && typeof data === "string") this.#receive(data);
    };
    socket.onopen = () => {
      clearTimeout(late);
      if (run !== this.#run) return;
      this.#blocked = false;
      this.#attempt = 0;
      this.#downSince = undefined;
      this.#list();
      this.#lister = setInterval(() => this.#list(), LIST_INTERVAL);
      this.#events.connection({ up: true });
    };
    socket.onclose = () => {
      clearTimeout(late);
      if (run !== this.#run) return;
      this.#lost();
      this.#again(run);
    };
  }

  #lost(): void {
    clearInterval(this.#lister);
    this.#lister = undefined;
    this.#asked.clear();
    this.#subscribed.clear();
    this.#pictured.clear();
    this.#refused.clear();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #again(run: number): void {
    this.#downSince ??= Date.now();
    const wait = pause(this.#attempt++, Math.random());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (run === this.#run) void this.#connect(run);
    }, wait);
    this.#events.connection({ up: false, since: this.#downSince, retryAt: Date.now() + wait });
  }

  #send(method: string, session: string | undefined, params: Fields, answered: Answered): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const id = ++this.#serial;
    this.#asked.set(id, answered);
    this.#socket.send(JSON.stringify({ id, method, ...(session === undefined ? {} : { session }), params }));
  }

  #list(): void {
    // First of all, so that sessions find their servers.
    this.#send("list_servers", undefined, {}, (list) => {
      if (list === undefined) return;
      this.#sessions.hosts = decodeHosts(list, Date.now());
      this.#changed();
    });
    this.#send("list_sessions", undefined, {}, (list) => {
      if (list === undefined) return;
      this.#refused.clear(); // what was refused is requested again
      this.#changed(this.#sessions.replace(decodeSessions(list, Date.now()), Date.now()), true);
    });
  }

  #subscribe(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const names = new Set(this.#known.map(({ name }) => name));
    for (const name of this.#subscribed.keys()) if (!names.has(name)) this.#subscribed.delete(name);
    for (const { name, state, knownAt } of this.#known) {
      if (knownAt !== undefined) this.#subscribed.delete(name); // its server is away, and comes back without the subscription
      if (this.#refused.has(name) || knownAt !== undefined) continue;
      const seen = this.#visible.has(name);
      if (state === "ended") {
        this.#subscribed.delete(name);
        if (seen && !this.#pictured.has(name)) {
          this.#pictured.add(name);
          this.#send("get_screen", name, { format: "plain" }, (screen) => {
            if (screen === undefined) this.#refuse(name);
            else this.#screen(name, screen);
          });
        }
        continue;
      }
      this.#pictured.delete(name);
      const present = this.#subscribed.get(name);
      if (present?.seen === seen || (present === undefined && this.#subscribed.size >= MOST)) continue;
      const subscription = { seen };
      this.#subscribed.set(name, subscription);
      this.#send("subscribe", name, { events: seen ? [...EVENTS, "diffs"] : EVENTS, format: "plain", interval_ms: PREVIEW_INTERVAL }, (result) => {
        if (result === undefined && this.#subscribed.get(name) === subscription) this.#refuse(name);
      });
    }
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Fields;
    const event = message["event"];
    const session = typeof message["session"] === "string" ? message["session"] : "";
    if (message["type"] === "lifecycle_lagged") {
      this.#list();
      return;
    }
    if (typeof event !== "string") {
      this.#answer(message);
      return;
    }
    const params = (message["params"] ?? {}) as Fields;
    if (isChange(event)) {
      const changed = decodeSession(params, Date.now());
      const old = params["old_name"];
      if (changed === undefined) return;
      // The list gets its preview from the screen that comes first with a new subscription.
      if (event === "session_renamed" && typeof old === "string") this.#subscribed.delete(old);
      if (event === "session_created" || event === "session_removed") {
        this.#subscribed.delete(changed.name);
        this.#refused.delete(changed.name);
      }
      return this.#changed(this.#sessions.apply(event, changed, typeof old === "string" ? old : undefined, Date.now()));
    }
    switch (event) {
      case "sync":
      case "diff":
        if (this.#subscribed.get(session)?.seen === true) this.#screen(session, message["screen"] ?? params["screen"]);
        break;
      case "command":
        if (message["state"] === "done") this.#sessions.over(session, numeric(message["exit_code"]), numeric(message["duration_ms"]), Date.now());
        return this.#changed();
      case "client":
        this.refresh(); // clients come and go in groups
        break;
      case "bell":
        this.#events.bell(session);
        break;
      case "notification":
        this.#sessions.notification(session, String(message["title"] ?? ""), String(message["body"] ?? ""), Date.now());
        return this.#changed();
      case "title":
        this.#sessions.title(session, String(message["title"] ?? ""));
        return this.#changed();
      case "progress":
        this.#sessions.setProgress(session, decodeProgress(message["state"], message["percent"]));
        return this.#changed();
    }
  }

  #changed(renamed: ReadonlyMap<string, string> = new Map(), listed = false): void {
    this.#events.changed(renamed, listed);
  }

  #answer(message: Fields): void {
    const id = numeric(message["id"]) ?? 0;
    const answered = this.#asked.get(id);
    this.#asked.delete(id);
    answered?.(message["error"] === undefined ? (message["result"] ?? {}) : undefined);
  }

  /** #refuse notes that a request about a session has failed: it has ended meanwhile, or has too many clients. */
  #refuse(name: string): void {
    this.#subscribed.delete(name);
    this.#pictured.delete(name);
    this.#refused.add(name);
  }

  #screen(session: string, value: unknown): void {
    const { lines, alternate_active: fullscreen } = (value ?? {}) as { lines?: unknown; alternate_active?: unknown };
    if (Array.isArray(lines)) this.#events.screen(session, { lines: lines.map(String), fullscreen: fullscreen === true });
  }
}

function numeric(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
