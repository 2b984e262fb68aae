// The sessions that the page knows, which of them need the person, and in which order they are
// listed.

import { type Host, hostOf } from "./hosts";
import { condition, duration, endText, failed, type Progress, type Session, stateText } from "./session";

/** A Need is why a session needs the person. The list sorts by this order. */
export type Need = (typeof URGENCY)[number];
const URGENCY = ["secret", "asks", "line", "notification", "failed", "over", "bell"] as const;

/** A Call is what a session wants of the person. */
export interface Call {
  readonly need: Need;
  readonly text: string;
  /** Since when, in milliseconds. */
  readonly at: number;
}

/** An Entry is a session in the list. */
export interface Entry {
  readonly session: Session;
  readonly call?: Call;
  readonly progress?: Progress;
}

/** inOrder returns all sessions of the list in its order. */
export function inOrder({ calling, running, elsewhere, ended }: ReturnType<Sessions["groups"]>): Entry[] {
  return [...calling, ...running, ...elsewhere.flatMap(({ entries }) => entries), ...ended];
}

/** A Change is what has happened to a session, as the server reports it. */
export type Change = (typeof CHANGES)[number];
const CHANGES = ["session_created", "session_renamed", "session_tags_changed", "session_state_changed", "session_destroyed", "session_removed"] as const;

/** isChange reports whether an event is one of those that [[Sessions.apply]] takes. */
export function isChange(event: string): event is Change {
  return CHANGES.some((change) => change === event);
}

/** Milliseconds that a command takes at least before its end is worth a call. */
const LONG = 10_000;
/**
 * Milliseconds for which a session that asks for input may be busy and still count as asking. A shell
 * that does not mark its prompts is busy for half a second after each key and each short command.
 */
export const BUSY = 1500;

interface Known {
  session: Session;
  call?: Call;
  busy?: number; // since when a session is busy that asked for input just before
  progress?: Progress;
}

/** Sessions are the sessions by name. It keeps no clock: times are parameters, in milliseconds. */
export class Sessions {
  readonly #byName = new Map<string, Known>();
  /** The other servers, in the order in which they are listed. */
  hosts: readonly Host[] = [];
  /** Called with each new call for the person. */
  onCall: (session: Session, call: Call) => void = () => undefined;
  /** Asked whether the person looks at a session: what they see happen is not worth a call. */
  isWatched: (name: string) => boolean = () => false;

  get size(): number {
    return this.#byName.size;
  }

  get(name: string): Session | undefined {
    return this.#byName.get(name)?.session;
  }

  /** host returns the other server that has a session, if it is known. */
  host(name: string): Host | undefined {
    return this.hosts.find((host) => host.name === hostOf(name));
  }

  call(name: string): Call | undefined {
    return present(this.#byName.get(name));
  }

  get all(): Session[] {
    return [...this.#byName.values()].map(({ session }) => session);
  }

  /** withID returns the session that has that ID. */
  withID(id: string): Session | undefined {
    for (const { session } of this.#byName.values()) if (session.id === id) return session;
    return undefined;
  }

  /**
   * replace takes a complete list. Sessions that are not in it do not exist any more. It returns the
   * sessions that were renamed: their new names by the old ones.
   */
  replace(list: readonly Session[], now: number): Map<string, string> {
    const renamed = new Map<string, string>();
    const before = new Map([...this.#byName.values()].map((known) => [known.session.id, known]));
    this.#byName.clear();
    for (const session of list) {
      const known = before.get(session.id);
      if (known !== undefined) {
        this.#byName.set(session.name, known);
        if (known.session.name !== session.name) renamed.set(known.session.name, session.name);
      }
      this.#set(session, now);
    }
    return renamed;
  }

  /**
   * apply takes a change of a session. oldName is set after a renaming. It returns what replace
   * returns. A list may be newer than changes that come after it, so names alone say nothing.
   */
  apply(change: Change, session: Session, oldName: string | undefined, now: number): Map<string, string> {
    const { id, name } = session;
    const renamed = new Map<string, string>();
    const known = change === "session_renamed" && oldName !== undefined && oldName !== name ? this.#byName.get(oldName) : undefined;
    if (known !== undefined && oldName !== undefined && known.session.id === id) {
      this.#byName.delete(oldName);
      this.#byName.set(name, known);
      renamed.set(oldName, name);
    }
    if (change !== "session_removed") this.#set(session, now);
    else if (this.#byName.get(name)?.session.id === id) this.#byName.delete(name);
    return renamed;
  }

  #set(session: Session, now: number): void {
    const known = this.#byName.get(session.name);
    if (known?.session.id !== session.id) { // it may replace one that had ended
      const fresh: Known = { session };
      this.#byName.set(session.name, fresh);
      this.#callForState(fresh, Math.min(session.activeAt, now));
      return;
    }
    if (session.knownAt !== undefined || known.session.knownAt !== undefined) { // nothing was seen of it meanwhile
      const same = condition(known.session) === condition(session) && known.busy === undefined;
      known.session = session;
      delete known.busy;
      if (same) return;
      endQuestion(known);
      this.#callForState(known, Math.min(session.activeAt, now));
      return;
    }
    const before = condition(known.session);
    const after = condition(session);
    if (before === after) {
      known.session = session;
      return;
    }
    known.session = session;
    if (session.state === "ended") delete known.progress;
    if (before === "line" && after === "running") {
      known.busy = now;
      return;
    }
    const asked = known.busy !== undefined && now - known.busy < BUSY;
    delete known.busy;
    if (asked && after === "line") return; // it still asks, or the person has dismissed that
    endQuestion(known);
    this.#callForState(known, now);
  }

  /**
   * settle ends the questions of sessions that have been busy for long enough. It returns after how
   * many milliseconds there is another to end, or undefined.
   */
  settle(now: number): number | undefined {
    let next: number | undefined;
    for (const known of this.#byName.values()) {
      if (known.busy === undefined) continue;
      const left = known.busy + BUSY - now;
      if (left > 0) next = Math.min(left, next ?? left);
      else {
        delete known.busy;
        endQuestion(known);
      }
    }
    return next;
  }

  #callForState(known: Known, at: number): void {
    const { session } = known;
    const state = condition(session);
    if (state === "secret") this.#raise(known, "secret", "asks for a secret", at);
    else if (state === "asks") this.#raise(known, "asks", stateText(session), at);
    else if (state === "line") this.#raise(known, "line", session.agent === undefined ? "waits for input" : stateText(session), at);
    else if (failed(session)) {
      this.#raise(known, "failed", endText(session.exit ?? { code: 0 }), at);
    }
  }

  #raise(known: Known, need: Need, text: string, at: number): void {
    if (known.busy !== undefined) { // it has something else to say, so it does not ask just now
      delete known.busy;
      endQuestion(known);
    }
    if (known.call !== undefined && URGENCY.indexOf(known.call.need) < URGENCY.indexOf(need)) return;
    const call = { need, text, at };
    known.call = call;
    if (present(known) !== undefined) this.onCall(known.session, call);
  }

  /** title takes a new title of a session's window. */
  title(name: string, title: string): void {
    const known = this.#byName.get(name);
    if (known !== undefined) known.session = { ...known.session, title };
  }

  /** setProgress takes how far a session's program is; undefined: it does not say. */
  setProgress(name: string, progress: Progress | undefined): void {
    const known = this.#byName.get(name);
    if (known === undefined) return;
    if (progress === undefined) delete known.progress;
    else known.progress = progress;
  }

  /** progress returns how far a session's program says that it is. */
  progress(name: string): Progress | undefined {
    return this.#byName.get(name)?.progress;
  }

  /** bell notes that a session's program has rung. */
  bell(name: string, now: number): void {
    this.#happened(name, "bell", "rang", now);
  }

  /** notification takes a message of a session's program for the person. */
  notification(name: string, title: string, body: string, now: number): void {
    this.#happened(name, "notification", title === "" ? body : `${title}: ${body}`, now);
  }

  /** over notes that a command has ended in a session's shell; short ones are not worth a call. */
  over(name: string, code: number | undefined, ms: number | undefined, now: number): void {
    if (ms === undefined || ms < LONG) return;
    const bad = code !== undefined && code !== 0;
    this.#happened(name, bad ? "failed" : "over", `command ${bad ? `failed with status ${code}` : "done"} after ${duration(ms)}`, now);
  }

  #happened(name: string, need: Need, text: string, at: number): void {
    const known = this.#byName.get(name);
    if (known !== undefined && !this.isWatched(name)) this.#raise(known, need, text, at);
  }

  /** attend withdraws a session's call, because the person has seen it. What it waits for, it waits for. */
  attend(name: string): boolean {
    const known = this.#byName.get(name);
    if (known?.call === undefined || isQuestion(known.call)) return false;
    delete known.call;
    return true;
  }

  /** dismiss withdraws a session's call until it has another. */
  dismiss(name: string): void {
    const known = this.#byName.get(name);
    if (known !== undefined) delete known.call;
  }

  /** tags returns the tags of all sessions. */
  tags(): string[] {
    return [...new Set(this.all.flatMap(({ tags }) => tags))].sort(compare);
  }

  /**
   * groups returns the sessions that match all words of a query. Those that need the person come by
   * urgency, then by how long they have waited. The others keep their places, so that a person finds
   * them again. watched is the session that the person is looking at, which need not call them.
   */
  groups(query = "", watched?: string) {
    const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const calling: Entry[] = [];
    const running: Entry[] = [];
    const ended: Entry[] = [];
    const others = new Map<string, Entry[]>(this.hosts.map(({ name }) => [name, []]));
    for (const known of this.#byName.values()) {
      const { session, progress } = known;
      const call = present(known);
      const more = progress === undefined ? {} : { progress };
      const text = [session.name, session.title, session.command, ...session.tags].join(" ").toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      const host = hostOf(session.name);
      if (call !== undefined && session.name !== watched) calling.push({ session, call, ...more });
      else if (host !== "") others.set(host, [...(others.get(host) ?? []), { session, ...more }]);
      else if (session.state === "ended") ended.push({ session, ...more });
      else running.push({ session, ...more });
    }
    const byName = (a: Entry, b: Entry): number => compare(a.session.name, b.session.name);
    const rank = ({ call }: Entry): number => URGENCY.indexOf(call?.need ?? "bell");
    calling.sort((a, b) => rank(a) - rank(b) || (a.call?.at ?? 0) - (b.call?.at ?? 0) || byName(a, b));
    running.sort(byName);
    ended.sort(byName);
    const last = ({ session }: Entry): number => (session.state === "ended" ? 1 : 0);
    // Those of other servers that do not need the person, by server.
    const elsewhere = [...others].filter(([, entries]) => entries.length > 0 || words.length === 0).map(([name, entries]) => ({
      host: this.hosts.find((host) => host.name === name) ?? { name, health: "connecting" as const, reason: "" }, // it is listed soon
      entries: entries.sort((a, b) => last(a) - last(b) || byName(a, b)),
    }));
    return { calling, running, elsewhere, ended };
  }

  /** calls returns how many sessions need the person, but for the one that they are looking at. */
  calls(watched?: string): number {
    let n = 0;
    for (const known of this.#byName.values()) if (present(known) !== undefined && known.session.name !== watched) n++;
    return n;
  }

  /** nextCall returns the most urgent session that needs the person, other than the present one if possible. */
  nextCall(present: string | undefined): string | undefined {
    const names = this.groups().calling.map(({ session }) => session.name);
    return names.find((name) => name !== present) ?? names[0];
  }
}

/** present returns the call of a session that the person can answer: nobody can while its server is away. */
function present(known: Known | undefined): Call | undefined {
  return known?.session.knownAt === undefined ? known?.call : undefined;
}

/** endQuestion withdraws the call of a question, which ends with the state; a message does not. */
function endQuestion(known: Known): void {
  if (known.call !== undefined && isQuestion(known.call)) delete known.call;
}

function isQuestion({ need }: Call): boolean {
  return need === "secret" || need === "asks" || need === "line";
}

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** compare orders names as a person does: 9 before 10, whatever the case. */
export function compare(a: string, b: string): number {
  return names.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
