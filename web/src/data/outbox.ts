// The person's edits and actions on their way to the server.

import type { Event } from "../wire";
import type { Field } from "./field";
import type { Value } from "./value";

/**
 * Post sends one message to the server. seen is the last batch that was displayed when the person
 * acted. It returns false when there is no connection.
 */
export type Post = (ref: number, events: readonly Event[], seen: number | null) => boolean;

/** The largest events message, in bytes; the server reads no longer ones. */
export const MAX_MESSAGE = 32 << 20;

/** Why an edit was not delivered. */
export type Reason =
  | "gone" // what it was made in is no longer displayed, or displays another object
  | "restarted" // the session that it was made in has ended, and another one is displayed
  | "failed" // the server could not carry it out
  | "large" // it exceeds MAX_MESSAGE
  | "file" // it is a file that is too large
  | "unreadable" // it is a file that the browser could not read
  | "unconfirmed"; // it was sent, but the connection broke before the acknowledgement

/** Edit is what the person entered into one control. */
export interface Edit {
  readonly field: Field;
  readonly owner: number; // the object that it was made to; 0 when unknown
  readonly value: Value;
}

/** OutboxEvents are the callbacks of an Outbox. */
export interface OutboxEvents {
  /** pending reports the number of unacknowledged messages. */
  pending(n: number): void;
  /** seen returns the number of the last batch that is displayed. */
  seen(): number | null;
  /** undelivered hands back an edit that will never be sent (again). */
  undelivered(edit: Edit, reason: Reason): void;
  /** refused reports an action that had no effect. */
  refused(reason: Reason): void;
}

interface SentEdit extends Edit {
  detached: boolean; // the control is gone, or writes to another object now
  taken: boolean; // it is sent again, under another id
}

interface Flight {
  readonly edits: readonly SentEdit[]; // the first events of the message, in order
  readonly action: boolean; // an action follows them, of which the person learns if it has no effect
}

/** Held is an action that waits until the edits before it can be sent. */
interface Held {
  readonly event: Event;
  readonly reported: boolean;
  readonly seen: number | null;
}

/**
 * Outbox numbers the events messages, tracks which of them are unacknowledged, and sends unsent
 * edits ahead of an action so that the action sees them. Each edit is delivered or handed back by
 * undelivered.
 */
export class Outbox {
  readonly #post: Post;
  readonly #events: OutboxEvents;
  readonly #flights = new Map<number, Flight>();
  readonly #edited = new Map<Field, boolean>(); // in order of the edits; true when committed but not sent
  readonly #held: Held[] = [];
  #ref = 0;

  constructor(post: Post, events: OutboxEvents) {
    this.#post = post;
    this.#events = events;
  }

  /** pending is the number of unacknowledged messages and of actions that are held back. */
  get pending(): number {
    return this.#flights.size + this.#held.length;
  }

  /** change records that the person changed a control. */
  change(field: Field): void {
    field.change();
    if (!this.#edited.has(field)) this.#edited.set(field, false);
  }

  /** commit sends a control's change if there is one. */
  commit(field: Field): void {
    if (!field.edited) return;
    if (!field.differs()) {
      this.#edited.delete(field);
      field.revert();
      return;
    }
    if (!this.#send([field])) this.#edited.set(field, true);
    this.#proceed();
  }

  /** reject hands back an edit that cannot be sent. */
  reject(field: Field, value: Value, reason: Reason): void {
    this.#edited.delete(field);
    field.revert();
    field.restore();
    this.#events.undelivered({ field, owner: field.editor.owner, value }, reason);
    this.#proceed();
  }

  /** resend sends what a control holds, changed or not. */
  resend(field: Field): void {
    field.change();
    if (!this.#send([field])) this.#edited.set(field, true);
  }

  /**
   * send sends an event after all unsent edits, and holds it back until these are read. It returns
   * false when there is no connection. If the event had no effect, the person learns of it, unless it
   * only follows what they did.
   */
  send(instance: number, slot: number, value?: Value, follows = false): boolean {
    const event: Event = value === undefined ? [instance, slot] : [instance, slot, value];
    if (this.#held.length === 0 && !this.#reading()) return this.#send([...this.#edited.keys()], event, !follows);
    this.#held.push({ event, reported: !follows, seen: this.#events.seen() });
    this.#events.pending(this.pending);
    return true;
  }

  /**
   * note sends what the page has found out by itself. Unsent edits stay unsent, and if it gets lost,
   * the person does not learn of it. It returns false when there is no connection.
   */
  note(instance: number, slot: number, value: Value): boolean {
    return this.#sendOne([], [instance, slot, value], false);
  }

  /**
   * acknowledge ends message ref, of whose events those in stale and failed had no effect. It
   * returns the fields that display the server's value again.
   */
  acknowledge(ref: number, stale: readonly number[] = [], failed: readonly number[] = []): readonly Field[] {
    const flight = this.#flights.get(ref);
    if (flight === undefined) return [];
    this.#flights.delete(ref);
    this.#events.pending(this.pending);
    const { edits, action } = flight;
    const released: Field[] = [];
    edits.forEach((edit, i) => {
      const free = edit.field.acknowledged(ref);
      if (free) released.push(edit.field);
      // A newer edit of the same control takes the place of this one.
      if (edit.taken || (!free && !edit.detached)) return;
      if (stale.includes(i)) this.#events.undelivered(edit, "gone");
      else if (failed.includes(i)) this.#events.undelivered(edit, "failed");
    });
    if (action && stale.includes(edits.length)) this.#events.refused("gone");
    return released;
  }

  /** lost ends the connection. Edits in flight become unsent; actions in flight are not repeated. */
  lost(): void {
    let actions = this.#held.splice(0).filter(({ reported }) => reported).length;
    for (const { edits, action } of this.#flights.values()) {
      if (action) actions++;
      for (const edit of edits) {
        if (edit.taken) continue;
        if (edit.detached) this.#events.undelivered(edit, "unconfirmed");
        else if (edit.field.lost()) this.#edited.set(edit.field, true);
      }
    }
    this.#flights.clear();
    this.#ref = 0;
    this.#events.pending(0);
    if (actions > 0) this.#events.refused("unconfirmed");
  }

  /** connected sends the edits that were committed while offline. */
  connected(): void {
    const due = [...this.#edited].filter(([, committed]) => committed).map(([field]) => field);
    if (due.length > 0) this.#send(due);
  }

  /** reset hands back all edits, because the session that they were made in no longer exists. */
  reset(): void {
    for (const { edits } of this.#flights.values()) {
      for (const edit of edits) edit.detached ||= !edit.taken && edit.field.lost();
    }
    this.lost();
    for (const field of [...this.#edited.keys()]) this.rebound(field, "restarted");
  }

  /** rebound is called when a control writes to another object. Its unsent edit is handed back. */
  rebound(field: Field, reason: Reason = "gone"): void {
    this.forget(field, reason);
    field.rebound();
  }

  /** forget drops a removed control. Its unsent edit is handed back. */
  forget(field: Field, reason: Reason = "gone"): void {
    for (const edit of this.#inFlight(field)) edit.detached = true;
    if (!this.#edited.delete(field) || !field.differs()) return;
    const { owner } = field.editor;
    this.#events.undelivered({ field, owner, value: field.editor.read() ?? null }, reason);
    this.#proceed();
  }

  /**
   * renamed is called when a control's instance has a new id. An edit in flight under the old id is
   * sent again: the server may not know that id any more.
   */
  renamed(field: Field): void {
    if (field.edited && !field.differs()) {
      this.#edited.delete(field);
      field.revert();
    }
    if (!field.held || field.edited || field.editor.read() === undefined) return;
    for (const edit of this.#inFlight(field)) edit.taken = true;
    this.resend(field);
  }

  /** reading reports whether an edit cannot be sent yet. */
  #reading(): boolean {
    return [...this.#edited.keys()].some(({ editor }) => editor.pending?.());
  }

  /** proceed sends the actions that were held back, if nothing holds them any more. */
  #proceed(): void {
    if (this.#held.length === 0 || this.#reading()) return;
    for (const { event, reported, seen } of this.#held.splice(0)) {
      const sent = this.#send([...this.#edited.keys()], event, reported, seen);
      if (!sent && reported) this.#events.refused("unconfirmed");
    }
    this.#events.pending(this.pending);
  }

  /** inFlight returns the edits of a field that await an acknowledgement. */
  #inFlight(field: Field): SentEdit[] {
    const found: SentEdit[] = [];
    for (const { edits } of this.#flights.values()) {
      for (const edit of edits) if (edit.field === field && !edit.detached && !edit.taken) found.push(edit);
    }
    return found;
  }

  /** send sends edits, then an action. It returns false when there is no connection. */
  #send(fields: readonly Field[], action?: Event, reported = action !== undefined, seen = this.#events.seen()): boolean {
    const edits: Edit[] = [];
    for (const field of fields) {
      if (field.editor.pending?.()) continue;
      const value = field.editor.read();
      if (value !== undefined) {
        edits.push({ field, owner: field.editor.owner, value });
        continue;
      }
      this.#edited.delete(field);
      field.revert();
    }
    if (fits([...edits.map(eventOf), ...(action ? [action] : [])])) return this.#sendOne(edits, action, reported, seen);
    // One event alone may be too large, which must not hold up the others.
    for (const edit of edits) {
      if (fits([eventOf(edit)])) {
        if (!this.#sendOne([edit], undefined, false, seen)) return false;
        continue;
      }
      this.#edited.delete(edit.field);
      edit.field.revert();
      edit.field.restore();
      this.#events.undelivered(edit, "large");
    }
    if (action === undefined) return true;
    if (fits([action])) return this.#sendOne([], action, reported, seen);
    this.#events.refused("large");
    return true;
  }

  #sendOne(edits: readonly Edit[], last?: Event, action = last !== undefined, seen = this.#events.seen()): boolean {
    const events = edits.map(eventOf);
    if (last !== undefined) events.push(last);
    if (events.length === 0) return true;
    const ref = this.#ref + 1;
    if (!this.#post(ref, events, seen)) return false;
    this.#ref = ref;
    for (const { field, value } of edits) {
      this.#edited.delete(field);
      field.sent(ref, value);
    }
    this.#flights.set(ref, {
      edits: edits.map((edit) => ({ ...edit, detached: false, taken: false })),
      action,
    });
    this.#events.pending(this.pending);
    return true;
  }
}

function eventOf({ field: { editor }, value }: Edit): Event {
  return [editor.instance, editor.slot, value];
}

/** fits reports whether events can be sent in one message. */
function fits(events: readonly Event[]): boolean {
  let length = 0;
  for (const [, , value] of events) {
    for (const part of Array.isArray(value) ? value : [value]) length += typeof part === "string" ? part.length : 0;
  }
  const ROOM = 64 << 10; // for everything but texts
  if (length * 6 + ROOM < MAX_MESSAGE) return true; // at most 6 bytes for each UTF-16 unit
  return length < MAX_MESSAGE && new TextEncoder().encode(JSON.stringify(events)).length + ROOM < MAX_MESSAGE;
}
