// The person's edits and actions on their way to the server.

import type { Event } from "../wire";
import type { Field, Unsent } from "./field";
import { same, type Value } from "./value";

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
  | "failed" // the server could not carry it out
  | "large" // it exceeds MAX_MESSAGE
  | "file" // it is a file that is too large
  | "unreadable" // it is a file that the browser could not read
  | "replaced" // what the person entered has replaced it, unseen
  | "closed" // the page was closed or loaded again before it was sent
  | "unconfirmed"; // it was sent, but the connection broke before the acknowledgement

/** Edit is what the person entered into one control. */
export interface Edit {
  readonly field: Field;
  readonly owner: number; // the object that it was made to; 0 when unknown
  readonly value: Value;
}

export interface OutboxEvents {
  /** pending reports the number of unacknowledged messages. */
  pending(n: number): void;
  /** seen returns the number of the last batch that is displayed. */
  seen(): number | null;
  /** unfinished returns the field in which the person types, unless they themselves cause what is sent now. */
  unfinished(): Field | undefined;
  /** undelivered hands back an edit that will never be sent (again). */
  undelivered(edit: Edit, reason: Reason): void;
  /** refused reports an action that had no effect. */
  refused(reason: Reason): void;
}

interface SentEdit extends Edit {
  detached: boolean; // the control is gone, or writes to another object now
  taken: boolean; // it is sent again, under another id, or a later one has taken its place
}

interface Flight {
  readonly edits: readonly SentEdit[]; // the first events of the message, in order
  readonly action: boolean; // an action follows them, of which the person learns if it has no effect
  readonly done: (() => void) | undefined; // called when it is acknowledged, or lost
}

/** Last is the event that ends a message, after edits. It may be held until these can be sent. */
interface Last {
  readonly event: Event;
  readonly reported: boolean; // the person learns if it has no effect
  readonly seen: number | null;
  readonly done?: (() => void) | undefined;
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
  readonly edited: Unsent = new Map(); // kept by the fields
  readonly #held: Last[] = [];
  readonly #follow = new Map<Field, [slot: () => number | undefined, value: Value | undefined][]>(); // events that wait for the edit of their control
  #ref = 0;

  constructor(post: Post, events: OutboxEvents) {
    this.#post = post;
    this.#events = events;
  }

  /** pending is the number of unacknowledged messages and of actions that are held back. */
  get pending(): number {
    return this.#flights.size + this.#held.length;
  }

  /** commit sends a control's change if there is one. */
  commit(field: Field): void {
    if (!field.edited) return;
    if (!field.differs()) return field.revert();
    if (!this.#send([field])) this.edited.set(field, true);
    this.#proceed();
  }

  /** unsent returns the edits of which the server may not know, and whether they are to be sent. */
  unsent(): { readonly field: Field; readonly value: Value; readonly committed: boolean }[] {
    const fields = new Map(this.edited);
    for (const { edits } of this.#flights.values()) {
      for (const { field, detached, taken } of edits) if (!detached && !taken && !fields.has(field)) fields.set(field, true);
    }
    return [...fields].flatMap(([field, committed]) => {
      const value = field.editor.read();
      return value === undefined || (field.edited && !field.differs()) ? [] : [{ field, value, committed }];
    });
  }

  /** reject hands back an edit that cannot be sent. */
  reject(field: Field, value: Value, reason: Reason): void {
    field.revert();
    field.restore();
    this.#events.undelivered({ field, owner: field.editor.owner, value }, reason);
    this.#proceed();
  }

  /** resend sends what a control holds, changed or not. */
  resend(field: Field): void {
    field.change();
    if (!this.#send([field])) this.edited.set(field, true);
  }

  /**
   * send sends an event after the unsent edits, and holds it back until these are read. What the
   * person types stays with them until they themselves do something. It returns false when there is no
   * connection. If the event had no effect, the person learns of it, unless it only follows what they
   * did. done is called when the event is acknowledged, or lost after it was sent.
   */
  send(instance: number, slot: number, value?: Value, follows = false, done?: () => void): boolean {
    const event: Event = value === undefined ? [instance, slot] : [instance, slot, value];
    const last = { event, reported: !follows, seen: this.#events.seen(), done };
    if (this.#held.length === 0 && !this.#reading()) return this.#send(this.#finished(), last);
    this.#held.push(last);
    this.#events.pending(this.pending);
    return true;
  }

  /** follow sends an event of a control, which was left without a connection, after its edit. slot is undefined if its binding is gone by then. */
  follow(field: Field, slot: () => number | undefined, value: Value | undefined): void {
    this.#follow.set(field, [...(this.#follow.get(field) ?? []), [slot, value]]);
  }

  /**
   * note sends what the page has found out by itself. Unsent edits stay unsent, and if it gets lost,
   * the person does not learn of it. It returns false when there is no connection.
   */
  note(instance: number, slot: number, value: Value): boolean {
    return this.#sendOne([], { event: [instance, slot, value], reported: false, seen: this.#events.seen() });
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
    const { edits, action, done } = flight;
    done?.();
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
    const held = this.#held.splice(0);
    const done = [...held, ...this.#flights.values()];
    let actions = held.filter(({ reported }) => reported).length;
    for (const { edits, action } of this.#flights.values()) {
      if (action) actions++;
      for (const edit of edits) {
        if (edit.taken) continue;
        if (edit.detached) this.#events.undelivered(edit, "unconfirmed");
        else edit.field.lost();
      }
    }
    this.#flights.clear();
    this.#ref = 0;
    this.#events.pending(0);
    for (const ended of done) ended.done?.();
    if (actions > 0) this.#events.refused("unconfirmed");
  }

  /** connected sends the edits that were committed while offline, unless the person goes on typing. */
  connected(): void {
    const due = this.#finished().filter((field) => this.edited.get(field));
    if (due.length > 0) this.#send(due);
    for (const field of due) {
      for (const [slotNow, value] of this.#follow.get(field) ?? []) {
        const slot = slotNow();
        if (slot !== undefined) this.send(field.editor.instance, slot, value, true);
      }
      this.#follow.delete(field);
    }
  }

  /** rebound is called when a control writes to another object now, or is gone. Its unsent edit is handed back. */
  rebound(field: Field): void {
    this.#follow.delete(field);
    const unsent = field.edited && field.differs();
    this.#inFlight(field).forEach((edit, i, { length }) => {
      edit.detached = true;
      edit.taken = unsent || i < length - 1; // the last has all of the text
    });
    if (unsent) this.#events.undelivered({ field, owner: field.editor.owner, value: field.editor.read() ?? null }, "gone");
    field.rebound();
    if (unsent) this.#proceed();
  }

  /**
   * renamed is called when a control's instance has a new id. An edit in flight under the old id is
   * sent again: the server may not know that id any more.
   */
  renamed(field: Field): void {
    if (!field.held || field.edited || field.editor.read() === undefined) return;
    for (const edit of this.#inFlight(field)) edit.taken = true;
    this.resend(field);
  }

  /** reading reports whether an edit cannot be sent yet. */
  #reading(): boolean {
    return [...this.edited.keys()].some(({ editor }) => editor.pending?.());
  }

  /** proceed sends the actions that were held back, if nothing holds them any more. */
  #proceed(): void {
    if (this.#held.length === 0 || this.#reading()) return;
    for (const last of this.#held.splice(0)) {
      if (this.#send(this.#finished(), last)) continue;
      last.done?.();
      if (last.reported) this.#events.refused("unconfirmed");
    }
    this.#events.pending(this.pending);
  }

  /** finished returns the unsent edits that go ahead of an event. */
  #finished(): Field[] {
    const unfinished = this.#events.unfinished();
    return [...this.edited.keys()].filter((field) => field !== unfinished);
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
  #send(fields: readonly Field[], last?: Last): boolean {
    const edits: Edit[] = [];
    for (const field of fields) {
      if (field.editor.pending?.()) continue;
      const value = field.editor.read();
      if (value !== undefined) {
        edits.push({ field, owner: field.editor.owner, value });
        continue;
      }
      field.revert();
    }
    if (fits([...edits.map(eventOf), ...(last ? [last.event] : [])])) return this.#sendOne(edits, last);
    // One event alone may be too large, which must not hold up the others.
    for (const edit of edits) {
      if (fits([eventOf(edit)])) {
        if (!this.#sendOne([edit], undefined, last?.seen)) return false;
        continue;
      }
      edit.field.revert();
      edit.field.restore();
      this.#events.undelivered(edit, "large");
    }
    if (last === undefined) return true;
    if (fits([last.event])) return this.#sendOne([], last);
    last.done?.();
    this.#events.refused("large");
    return true;
  }

  #sendOne(edits: readonly Edit[], last: Last | undefined, seen = last === undefined ? this.#events.seen() : last.seen): boolean {
    const events = edits.map(eventOf);
    if (last !== undefined) events.push(last.event);
    if (events.length === 0) return true;
    const ref = this.#ref + 1;
    if (!this.#post(ref, events, seen)) return false;
    this.#ref = ref;
    for (const { field, value } of edits) {
      const { unseen, server } = field;
      if (unseen && !same(server, value)) this.#events.undelivered({ field, owner: field.editor.owner, value: server }, "replaced");
      field.sent(ref, value);
    }
    this.#flights.set(ref, {
      edits: edits.map((edit) => ({ ...edit, detached: false, taken: false })),
      action: last?.reported === true,
      done: last?.done,
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
