// Sessions as the server describes them, checked where they come in.

/** State is what a session is doing: see docs/terminal.md. */
export type State = "running" | "prompt" | "line" | "secret" | "fullscreen" | "ended";

const STATES: readonly string[] = ["running", "prompt", "line", "secret", "fullscreen", "ended"];

/** Exit is how a program ended. */
export interface Exit {
  readonly code: number;
  readonly signal?: string;
}

/** Client is a person's terminal that is attached to a session. */
export interface Client {
  readonly name: string;
  readonly kind: "attach" | "page" | "watch";
  readonly rows: number;
  readonly cols: number;
  /** When something was last typed on it, in milliseconds of the clock of this machine. */
  readonly typedAt?: number;
}

/** Progress is how far a program says that it is. */
export interface Progress {
  readonly state: "normal" | "error" | "indeterminate" | "paused";
  readonly percent: number;
}

const PROGRESS = ["normal", "error", "indeterminate", "paused"] as const;

/** decodeProgress returns a progress, or undefined for anything else. */
export function decodeProgress(state: unknown, percent: unknown): Progress | undefined {
  const known = PROGRESS.find((s) => s === state);
  return known === undefined ? undefined : { state: known, percent: Math.min(100, Math.max(0, Math.round(count(percent)))) };
}

/** progressText says in a word how far a program is. */
export function progressText({ state, percent }: Progress): string {
  return state === "indeterminate" ? "…" : state === "error" ? `${percent}% failed` : state === "paused" ? `${percent}% paused` : `${percent}%`;
}

/** Recording is what a session keeps of its output. */
export interface Recording {
  readonly id: string;
  /** Whether it is being written. */
  readonly active: boolean;
  readonly bytes: number;
  /** When it was started, in milliseconds of the clock of this machine. */
  readonly since: number;
  /** Why it ended before its time. */
  readonly error?: string;
}

/** Agent is an agent in a session, and what it seems to do. */
export interface Agent {
  readonly name: string;
  readonly state: "working" | "asks" | "idle";
}

const DOING = ["working", "asks", "idle"] as const;

/** Session describes a session. */
export interface Session {
  readonly name: string;
  /** Takes the place of the name in requests. It never changes, and no other session will have it. */
  readonly id: string;
  readonly command: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly state: State;
  readonly agent?: Agent;
  readonly rows: number;
  readonly cols: number;
  /** Terminals of persons; programs that only follow the session are left out. */
  readonly attached: readonly Client[];
  /** The name of the client that leads. */
  readonly leader?: string;
  /** Whose terminal decides the size: leader or manual. */
  readonly sizeRule: string;
  readonly recording?: Recording;
  readonly exit?: Exit;
  /** Milliseconds of the clock of this machine. */
  readonly activeAt: number;
  /** When this was known: the session's server does not answer now. */
  readonly knownAt?: number;
}

const KINDS = ["attach", "page", "watch"] as const;

/** kindText says in words what a client is. */
export function kindText({ kind }: Client): string {
  return { attach: "a terminal", page: "a page", watch: "a terminal that only looks" }[kind];
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** decodeSession returns a session from JSON, or undefined if it has no name or ID. now is the time in milliseconds. */
export function decodeSession(value: unknown, now: number): Session | undefined {
  if (!isFields(value) || text(value["name"]) === "" || text(value["id"]) === "") return undefined;
  const exit = value["exit"];
  const agent = isFields(value["agent"]) ? value["agent"] : {};
  const doing = DOING.find((s) => s === agent["state"]);
  const state = text(value["state"]);
  const leader = text(value["leader"]);
  const recording = value["recording"];
  const known = value["last_known_ms"];
  const asOf = now - count(known); // what its server has said then
  return {
    name: text(value["name"]),
    id: text(value["id"]),
    command: text(value["command"]),
    title: text(value["title"]),
    tags: list(value["tags"]).map(text),
    state: STATES.includes(state) ? (state as State) : "running",
    rows: count(value["rows"]),
    cols: count(value["cols"]),
    attached: list(value["attached"])
      .filter(isFields)
      .flatMap((c) => {
        const kind = KINDS.find((k) => k === c["kind"]);
        const typed = c["last_typed_ms"];
        return kind === undefined ? [] : [{ name: text(c["name"]), kind, rows: count(c["rows"]), cols: count(c["cols"]), ...(typeof typed === "number" ? { typedAt: asOf - typed } : {}) }];
      }),
    sizeRule: text(value["size_rule"]),
    activeAt: asOf - count(value["last_activity_ms"]),
    ...(typeof known === "number" ? { knownAt: now - known } : {}),
    ...(doing === undefined ? {} : { agent: { name: text(agent["name"]), state: doing } }),
    ...(leader === "" ? {} : { leader }),
    ...(isFields(recording) ? { recording: decodeRecording(recording, now) } : {}),
    ...(isFields(exit) ? { exit: { code: count(exit["code"]), ...(text(exit["signal"]) === "" ? {} : { signal: text(exit["signal"]) }) } } : {}),
  };
}

function decodeRecording(of: Fields, now: number): Recording {
  const error = text(of["error"]);
  return { id: text(of["id"]), active: of["recording"] === true, bytes: count(of["bytes"]), since: now - count(of["age_ms"]), ...(error === "" ? {} : { error }) };
}

/** decodeSessions returns the sessions of a list. */
export function decodeSessions(value: unknown, now: number): Session[] {
  return list(value)
    .map((item) => decodeSession(item, now))
    .filter((s) => s !== undefined);
}

/** failed reports whether a session's program has ended other than successfully. */
export function failed({ state, exit }: Session): boolean {
  return state === "ended" && exit !== undefined && (exit.code !== 0 || exit.signal !== undefined);
}

/** condition is what a session is doing, as far as it matters to whether it needs the person. */
export function condition({ state, agent }: Session): State | "asks" {
  if (agent === undefined || state === "secret") return state;
  return agent.state === "asks" ? "asks" : agent.state === "idle" ? "line" : "running";
}

/** stateText says what a session is doing, in the words of "wsh list". */
export function stateText({ state, exit, agent }: Session): string {
  if (agent !== undefined) return `${agent.name} ${agent.state}`;
  return exit === undefined ? state : `ended ${exit.signal ?? exit.code}`;
}

/** endText says how a program has ended. */
export function endText({ code, signal }: Exit): string {
  return signal === undefined ? `ended with status ${code}` : `ended by ${signal}`;
}

/** ago says how long ago something was. Both times are in milliseconds. */
export function ago(then: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - then) / 1000));
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

/** past says how long ago something was, in a sentence. */
export function past(then: number, now: number): string {
  const text = ago(then, now);
  return text === "now" ? "a moment ago" : `${text} ago`;
}

/** lastKnown says when a session was known last, if its server is away; "" if it is not. */
export function lastKnown({ knownAt }: Session, now: number): string {
  return knownAt === undefined ? "" : `last known ${past(knownAt, now)}`;
}

/** duration says how long something took. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const NAME = /^[\p{L}\p{Nd}_.-]+$/u;

/** isName reports whether a session or a tag may have that name. */
export function isName(value: string): boolean {
  return NAME.test(value) && new TextEncoder().encode(value).length <= 64 && value !== "." && value !== "..";
}
