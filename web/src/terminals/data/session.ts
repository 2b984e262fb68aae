// Sessions as the server describes them, checked where they come in.

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields | undefined => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const some = (value: unknown): string | undefined => text(value) || undefined;
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const one = <const T extends string>(value: unknown, ...names: readonly T[]): T | undefined => names.find((name) => name === value);
/** before returns a time of the clock of this machine, in milliseconds, that was so long before another one. */
const before = (now: number, ms: unknown): number | undefined => (typeof ms === "number" ? now - ms : undefined);

/** State is what a session is doing: see docs/terminal.md. */
export type State = Session["state"];

/** Exit is how a program ended. */
export type Exit = NonNullable<Session["exit"]>;

/** Client is a person's terminal that is attached to a session. */
export type Client = Session["attached"][number];

/** Recording is what a session keeps of its output. */
export type Recording = NonNullable<Session["recording"]>;

/** Progress is how far a program says that it is. */
export type Progress = NonNullable<ReturnType<typeof decodeProgress>>;

/** decodeProgress returns a progress, or undefined for anything else. */
export function decodeProgress(state: unknown, percent: unknown) {
  const known = one(state, "normal", "error", "indeterminate", "paused");
  return known && { state: known, percent: Math.min(100, Math.max(0, Math.round(count(percent)))) };
}

/** progressText says in a word how far a program is. */
export function progressText({ state, percent }: Progress): string {
  return state === "indeterminate" ? "…" : state === "error" ? `${percent}% failed` : state === "paused" ? `${percent}% paused` : `${percent}%`;
}

/** kindText says in words what a client is. */
export function kindText({ kind }: Client): string {
  return { attach: "a terminal", page: "a page", watch: "a terminal that only looks" }[kind];
}

/** Session describes a session. */
export type Session = NonNullable<ReturnType<typeof decodeSession>>;

/** decodeSession returns a session from JSON, or undefined if it has no name or ID. now is the time in milliseconds. */
export function decodeSession(value: unknown, now: number) {
  const of = fields(value) ?? {};
  if (text(of["name"]) === "" || text(of["id"]) === "") return undefined;
  const { exit, agent, recording } = { exit: fields(of["exit"]), agent: fields(of["agent"]), recording: fields(of["recording"]) };
  const doing = one(agent?.["state"], "working", "asks", "idle");
  const asOf = now - count(of["last_known_ms"]); // what its server has said then
  return {
    name: text(of["name"]),
    id: text(of["id"]), // takes the place of the name in requests; it never changes, and no other session will have it
    command: text(of["command"]),
    title: text(of["title"]),
    tags: list(of["tags"]).map(text) as readonly string[],
    state: one(of["state"], "running", "prompt", "line", "secret", "fullscreen", "ended") ?? "running",
    agent: doing && { name: text(agent?.["name"]), state: doing }, // an agent in the session, and what it seems to do
    rows: count(of["rows"]),
    cols: count(of["cols"]),
    attached: list(of["attached"]).flatMap((value) => { // terminals of persons; programs that only follow the session are left out
      const c = fields(value) ?? {};
      const kind = one(c["kind"], "attach", "page", "watch");
      return kind ? [{ name: text(c["name"]), kind, rows: count(c["rows"]), cols: count(c["cols"]), typedAt: before(asOf, c["last_typed_ms"]) }] : [];
    }),
    leader: some(of["leader"]), // the name of the client that leads
    sizeRule: text(of["size_rule"]), // whose terminal decides the size: leader or manual
    recording: recording && {
      id: text(recording["id"]),
      active: recording["recording"] === true, // it is being written
      bytes: count(recording["bytes"]),
      since: now - count(recording["age_ms"]),
      error: some(recording["error"]), // why it ended before its time
    },
    activeAt: asOf - count(of["last_activity_ms"]),
    knownAt: before(now, of["last_known_ms"]), // when this was known: the session's server does not answer now
    exit: exit && { code: count(exit["code"]), ...(some(exit["signal"]) && { signal: text(exit["signal"]) }) },
  };
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
