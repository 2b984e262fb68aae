// One WebSocket that follows all sessions: their changes, and their calls for the person. It gets
// only the screens that the list displays, at most once a second.

import { Socket } from "../socket";
import { type Api, Refusal } from "./api";
import { decodeHosts } from "./data/hosts";
import { Rights } from "./data/rights";
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

const EVENTS = ["command", "bell", "notification", "title", "progress", "client"];

/** A Screen is what a preview needs of one. */
export interface Screen {
  readonly lines: readonly string[];
  readonly fullscreen: boolean;
}

/** Connection says whether the page follows the server. since is in milliseconds. */
export type Connection =
  | { readonly up: true }
  | { readonly up: false; readonly since: number; readonly retryAt: number };

export interface FeedEvents {
  /** entered is called when the server has said what the person may do, before a connection is made. */
  entered(rights: Rights, hostname: string): void;
  connection(state: Connection): void;
  /**
   * changed is called when the sessions have changed. renamed has the new names of some by the old
   * ones, and listed says that the server has listed all.
   */
  changed(renamed?: ReadonlyMap<string, string>, listed?: boolean): void;
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
  #socket: Socket | undefined; // once it is started
  #admitted = false; // the last attempt has opened a connection
  #downSince: number | undefined;
  #lister: ReturnType<typeof setInterval> | undefined; // while there is a connection
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #serial = 0;
  readonly #asked = new Map<number, Answered>(); // requests that have no answer yet
  readonly #subscribed = new Map<string, { readonly seen: boolean }>(); // by session: the newest subscription, with screens where they are seen
  readonly #refused = new Set<string>(); // sessions of which a request has failed since the last list
  #known: readonly Session[] = [];
  #visible: ReadonlySet<string> = new Set();

  constructor(api: Api, sessions: Sessions, events: FeedEvents) {
    this.#api = api;
    this.#sessions = sessions;
    this.#events = events;
  }

  /** start connects. */
  start(): void {
    this.stop();
    this.#admitted = false;
    this.#socket = new Socket((signal) => this.#enter(signal), {
      opened: () => this.#opened(),
      received: (text) => this.#receive(text),
      closed: (_, wait) => this.#closed(wait),
    });
    this.#socket.start();
  }

  /** stop disconnects. */
  stop(): void {
    this.#socket?.stop();
    this.#lost();
  }

  /** retry connects now if the feed waits for its next attempt. */
  retry(): void {
    this.#socket?.hurry();
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

  /**
   * #enter returns the address of the socket. It asks what the person may do at first and when the last
   * attempt has failed, since a refused upgrade does not say why.
   */
  async #enter(signal: AbortSignal): Promise<string> {
    try {
      if (!this.#admitted) {
        const { rights, limited, hostname } = ((await this.#api.request("GET", "server/info")) ?? {}) as Fields;
        signal.throwIfAborted();
        this.#events.entered(new Rights(Array.isArray(rights) ? rights.map(String) : [], limited === true), String(hostname ?? ""));
      }
      this.#admitted = false;
      return await this.#api.socket("ws/json?client=page-events");
    } catch (error) {
      if (!signal.aborted && error instanceof Refusal && error.status !== 429 && error.status < 500) {
        this.stop();
        this.#events.refused(error);
      }
      throw error;
    }
  }

  #opened(): void {
    this.#admitted = true;
    this.#downSince = undefined;
    this.#lister = setInterval(() => this.#list(), LIST_INTERVAL);
    this.#list();
    this.#events.connection({ up: true });
  }

  #closed(wait: number): void {
    this.#lost();
    this.#downSince ??= Date.now();
    this.#events.connection({ up: false, since: this.#downSince, retryAt: Date.now() + wait });
  }

  #lost(): void {
    clearInterval(this.#lister);
    this.#lister = undefined;
    this.#asked.clear();
    this.#subscribed.clear();
    this.#refused.clear();
  }

  #send(method: string, session: string | undefined, params: Fields, answered: Answered): void {
    const id = ++this.#serial;
    const sent = this.#socket?.send(JSON.stringify({ id, method, ...(session === undefined ? {} : { session }), params }));
    if (sent === true) this.#asked.set(id, answered);
  }

  #list(): void {
    // First of all, so that sessions find their servers.
    this.#send("list_servers", undefined, {}, (list) => {
      if (list === undefined) return;
      this.#sessions.hosts = decodeHosts(list, Date.now());
      this.#events.changed();
    });
    this.#send("list_sessions", undefined, {}, (list) => {
      if (list === undefined) return;
      this.#refused.clear(); // what was refused is requested again
      this.#events.changed(this.#sessions.replace(decodeSessions(list, Date.now()), Date.now()), true);
    });
  }

  #subscribe(): void {
    if (this.#lister === undefined) return;
    const names = new Set(this.#known.map(({ name }) => name));
    for (const name of this.#subscribed.keys()) if (!names.has(name)) this.#subscribed.delete(name);
    for (const { name, state, knownAt } of this.#known) {
      const over = state === "ended" || knownAt !== undefined; // its server is away, and comes back without the subscription
      if (over) this.#subscribed.delete(name);
      if (over || this.#refused.has(name)) continue;
      const seen = this.#visible.has(name);
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
      return this.#events.changed(this.#sessions.apply(event, changed, typeof old === "string" ? old : undefined, Date.now()));
    }
    switch (event) {
      case "sync":
      case "diff":
        if (this.#subscribed.get(session)?.seen === true) this.#screen(session, message["screen"] ?? params["screen"]);
        break;
      case "command":
        if (message["state"] === "done") this.#sessions.over(session, numeric(message["exit_code"]), numeric(message["duration_ms"]), Date.now());
        return this.#events.changed();
      case "client":
        this.refresh(); // clients come and go in groups
        break;
      case "bell":
        this.#events.bell(session);
        break;
      case "notification":
        this.#sessions.notification(session, String(message["title"] ?? ""), String(message["body"] ?? ""), Date.now());
        return this.#events.changed();
      case "title":
        this.#sessions.title(session, String(message["title"] ?? ""));
        return this.#events.changed();
      case "progress":
        this.#sessions.setProgress(session, decodeProgress(message["state"], message["percent"]));
        return this.#events.changed();
    }
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
