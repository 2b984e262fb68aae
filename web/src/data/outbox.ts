// The person's edits and actions on their way to the server.

import type { Event } from "../wire";
import type { Field } from "./field";
import type { Value } from "./value";

/** Post sends one message to the server. It returns false when there is no connection. */
export type Post = (ref: number, events: readonly Event[]) => boolean;

interface Flight {
  readonly fields: readonly Field[];
}

/**
 * Outbox numbers the events messages, tracks which of them are unacknowledged, and sends unsent
 * edits ahead of an action so that the action sees them.
 */
export class Outbox {
  readonly #post: Post;
  readonly #pendingChanged: (pending: number) => void;
  readonly #flights = new Map<number, Flight>();
  readonly #edited = new Map<Field, boolean>(); // in order of the edits; true when committed but not sent
  #ref = 0;

  constructor(post: Post, pendingChanged: (pending: number) => void) {
    this.#post = post;
    this.#pendingChanged = pendingChanged;
  }

  /** pending is the number of unacknowledged messages. */
  get pending(): number {
    return this.#flights.size;
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
  }

  /** send sends an event after all unsent edits. It returns false when there is no connection. */
  send(instance: number, slot: number, value?: Value): boolean {
    const event: Event = value === undefined ? [instance, slot] : [instance, slot, value];
    return this.#send([...this.#edited.keys()], event);
  }

  /** acknowledge ends message ref and returns the fields that display the server's value again. */
  acknowledge(ref: number): readonly Field[] {
    const flight = this.#flights.get(ref);
    if (flight === undefined) return [];
    this.#flights.delete(ref);
    this.#pendingChanged(this.pending);
    return flight.fields.filter((field) => field.acknowledged(ref));
  }

  /** lost ends the connection. Edits in flight become unsent; actions in flight are not repeated. */
  lost(): void {
    for (const { fields } of this.#flights.values()) {
      for (const field of fields) if (field.lost()) this.#edited.set(field, true);
    }
    this.#flights.clear();
    this.#ref = 0;
    this.#pendingChanged(0);
  }

  /** connected sends the edits that were committed while offline. */
  connected(): void {
    const due = [...this.#edited].filter(([, committed]) => committed).map(([field]) => field);
    if (due.length > 0) this.#send(due);
  }

  /** reset drops all edits, because what they were made to no longer exists. */
  reset(): void {
    this.#edited.clear();
    this.#flights.clear();
    this.#pendingChanged(0);
  }

  /** forget drops a removed control with its unsent edit. */
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
