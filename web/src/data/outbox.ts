// What the person did, on its way to the server.

import type { Event } from "../wire";
import type { Field } from "./field";
import type { Value } from "./value";

/** How an Outbox reaches the server: false when there is no connection. */
export type Post = (ref: number, events: readonly Event[]) => boolean;

interface Flight {
  readonly fields: readonly Field[];
}

/**
 * Outbox numbers the messages with events, remembers which of them wait for an
 * acknowledgement, and puts the edits that were not sent yet in front of an
 * action, so that the action sees them.
 */
export class Outbox {
  readonly #post: Post;
  readonly #pendingChanged: (pending: number) => void;
  readonly #flights = new Map<number, Flight>();
  readonly #edited = new Map<Field, boolean>(); // in the order of the edits; true: committed, but could not be sent
  #ref = 0;

  constructor(post: Post, pendingChanged: (pending: number) => void) {
    this.#post = post;
    this.#pendingChanged = pendingChanged;
  }

  /** pending counts the messages that are not acknowledged. */
  get pending(): number {
    return this.#flights.size;
  }

  /** change records that the person changed a control. */
  change(field: Field): void {
    field.change();
    if (!this.#edited.has(field)) this.#edited.set(field, false);
  }

  /** commit sends a control's change, if there is one. */
  commit(field: Field): void {
    if (!field.edited) return;
    if (!field.differs()) {
      this.#edited.delete(field);
      field.revert();
      return;
    }
    if (!this.#send([field])) this.#edited.set(field, true);
  }

  /** send sends an event, with all unsent edits before it. It reports whether there was a connection. */
  send(instance: number, slot: number, value?: Value): boolean {
    const event: Event = value === undefined ? [instance, slot] : [instance, slot, value];
    return this.#send([...this.#edited.keys()], event);
  }

  /** acknowledge ends message ref, and returns the fields that are the server's again. */
  acknowledge(ref: number): readonly Field[] {
    const flight = this.#flights.get(ref);
    if (flight === undefined) return [];
    this.#flights.delete(ref);
    this.#pendingChanged(this.pending);
    return flight.fields.filter((field) => field.acknowledged(ref));
  }

  /** lost: the connection broke. Edits in flight become unsent edits; actions in flight are not repeated. */
  lost(): void {
    for (const { fields } of this.#flights.values()) {
      for (const field of fields) if (field.lost()) this.#edited.set(field, true);
    }
    this.#flights.clear();
    this.#ref = 0;
    this.#pendingChanged(0);
  }

  /** connected sends the edits that were committed while there was no connection. */
  connected(): void {
    const due = [...this.#edited].filter(([, committed]) => committed).map(([field]) => field);
    if (due.length > 0) this.#send(due);
  }

  /** reset forgets all that the person did: it was about something that is no more. */
  reset(): void {
    this.#edited.clear();
    this.#flights.clear();
    this.#pendingChanged(0);
  }

  /** forget drops a control that is gone, with its unsent edit. */
  forget(field: Field): void {
    this.#edited.delete(field);
  }

  #send(fields: readonly Field[], event?: Event): boolean {
    const ref = this.#ref + 1;
    const carried: [Field, Value][] = [];
    for (const field of fields) {
      const value = field.editor.read();
      if (value !== undefined) {
        carried.push([field, value]);
        continue;
      }
      this.#edited.delete(field);
      field.revert();
    }
    const events: Event[] = carried.map(([{ editor }, value]) => [editor.instance, editor.slot, value]);
    if (event !== undefined) events.push(event);
    if (events.length === 0) return true;
    if (!this.#post(ref, events)) return false;

    this.#ref = ref;
    for (const [field, value] of carried) {
      this.#edited.delete(field);
      field.sent(ref, value);
    }
    this.#flights.set(ref, { fields: carried.map(([field]) => field) });
    this.#pendingChanged(this.pending);
    return true;
  }
}
