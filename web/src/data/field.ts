// Whose text is in a control: the person's or the server's.

import { same, type Value } from "./value";

/** What a Field needs of the control that it speaks for. */
export interface Editor {
  readonly instance: number;
  readonly slot: number;
  /** read is what the control holds; undefined when that says nothing, as with a radio button that is off. */
  read(): Value | undefined;
  write(value: Value): void;
}

/**
 * Field decides when a control shows what the server sends. What the person
 * entered stays until the message that carries it is acknowledged, and longer
 * when the person went on editing.
 */
export class Field {
  readonly editor: Editor;
  #edited = false; // changed by the person, and not sent
  #ref = 0; // the newest message that carries a change and is not acknowledged; 0: none
  #waiting = false; // #server has not been shown
  #server: Value = null; // what the server sent last
  #known: Value | undefined; // the control's reading when both sides agreed last

  constructor(editor: Editor) {
    this.editor = editor;
  }

  /** edited: the person changed the control since it was last sent. */
  get edited(): boolean {
    return this.#edited;
  }

  /** held: what the server sends is kept back. */
  get held(): boolean {
    return this.#edited || this.#ref !== 0;
  }

  /** server is the newest value that the server sent, shown or not. */
  get server(): Value {
    return this.#server;
  }

  /** offer takes a value from the server, and shows it unless the person's text comes first. */
  offer(value: Value): void {
    this.#server = value;
    this.#waiting = true;
    if (!this.held) this.#show();
  }

  /** restore shows the server's value again in a control that other controls or scripts have changed. */
  restore(): void {
    if (!this.held) this.#show();
  }

  /** differs reports whether the control reads otherwise than when both sides agreed last. */
  differs(): boolean {
    const now = this.editor.read();
    return now !== undefined && !same(now, this.#known);
  }

  /** change records that the person changed the control. */
  change(): void {
    this.#edited = true;
  }

  /** revert ends an edit that came back to where it began. */
  revert(): void {
    this.#edited = false;
    this.#release();
  }

  /** sent records that message ref carries value. */
  sent(ref: number, value: Value): void {
    this.#edited = false;
    this.#ref = ref;
    this.#known = value;
  }

  /** acknowledged ends the hold of message ref. It reports whether the control is the server's again. */
  acknowledged(ref: number): boolean {
    if (ref !== this.#ref) return false;
    this.#ref = 0;
    return this.#release();
  }

  /** lost: nobody knows whether the message in flight arrived. Its change counts as unsent. */
  lost(): boolean {
    if (this.#ref === 0) return false;
    this.#ref = 0;
    this.#edited = true;
    this.#known = undefined;
    return true;
  }

  #release(): boolean {
    if (this.held) return false;
    if (this.#waiting) this.#show();
    return true;
  }

  #show(): void {
    this.#waiting = false;
    this.editor.write(this.#server);
    this.#known = this.editor.read();
  }
}
