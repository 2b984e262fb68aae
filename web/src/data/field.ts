// Whether a control displays the person's value or the server's.

import { same, type Value } from "./value";

/** Editor is the control behind a Field. */
export interface Editor {
  readonly instance: number;
  readonly slot: number;
  /** owner is the identity of the object that the control writes to; 0 when unknown. */
  readonly owner: number;
  /** read returns what the control holds; undefined when it has no value, as a radio button that is off. */
  read(): Value | undefined;
  write(value: Value): void;
  /** pending reports whether what the control holds is not yet read, so that it cannot be sent. */
  pending?(): boolean;
}

/** Unsent are the fields that the person has changed, in order, and whether they have left them: what is not sent. */
export type Unsent = Map<Field, boolean>;

/**
 * Field decides when a control displays what the server sends. The person's input stays until the
 * message that carries it is acknowledged, and longer if the person continues to edit.
 */
export class Field {
  readonly editor: Editor;
  readonly #unsent: Unsent;
  #ref = 0; // the newest unacknowledged message with a change; 0 for none
  #waiting = false; // #server is not displayed yet
  #server: Value = null; // the last value from the server
  #base: Value = null; // the last one that the person has seen, or that came of what they did
  #known: Value | undefined; // what the control read when both sides last agreed

  constructor(editor: Editor, unsent: Unsent) {
    this.editor = editor;
    this.#unsent = unsent;
  }

  /** edited reports whether the person changed the control since its value was last sent. */
  get edited(): boolean {
    return this.#unsent.has(this);
  }

  /** held reports whether values from the server are held back. */
  get held(): boolean {
    return this.edited || this.#ref !== 0;
  }

  /** server is the newest value from the server, displayed or not. */
  get server(): Value {
    return this.#server;
  }

  /** unseen reports whether the server has got another value from elsewhere while the person edits. */
  get unseen(): boolean {
    return !same(this.#server, this.#base);
  }

  /** offer takes a value from the server, and displays it unless the person's value is held. */
  offer(value: Value): void {
    this.#server = value;
    if (!this.edited || this.#ref !== 0) this.#base = value;
    this.#waiting = true;
    if (!this.held) this.#show();
  }

  /** restore displays the server's value again after other controls or scripts changed the control. */
  restore(): void {
    if (!this.held) this.#show();
  }

  /** differs reports whether the control reads differently from when both sides last agreed. */
  differs(): boolean {
    const now = this.editor.read();
    return now !== undefined && !same(now, this.#known);
  }

  /** change records that the person changed the control. */
  change(): void {
    if (!this.edited) this.#unsent.set(this, false);
  }

  /** revert ends an edit that returned to the original value. */
  revert(): void {
    this.#unsent.delete(this);
    this.#release();
  }

  /** sent records that message ref carried value. */
  sent(ref: number, value: Value): void {
    this.#unsent.delete(this);
    this.#base = this.#server;
    this.#ref = ref;
    this.#known = value;
  }

  /** acknowledged ends the hold of message ref. It reports whether the server's value is displayed again. */
  acknowledged(ref: number): boolean {
    if (ref !== this.#ref) return false;
    this.#ref = 0;
    return this.#release();
  }

  /** lost marks the change in flight as unsent, because the message may not have arrived. */
  lost(): void {
    if (this.#ref === 0) return;
    this.#ref = 0;
    this.#unsent.set(this, true);
    this.#known = undefined;
  }

  /** rebound drops the person's input, because the control writes to another object now. */
  rebound(): void {
    this.#unsent.delete(this);
    this.#ref = 0;
    this.restore();
  }

  #release(): boolean {
    if (this.held) return false;
    if (this.#waiting) this.#show();
    return true;
  }

  #show(): void {
    this.#waiting = false;
    this.#base = this.#server;
    this.editor.write(this.#server);
    this.#known = this.editor.read();
  }
}
