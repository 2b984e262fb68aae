// Keeps the person's token where scripts of other origins cannot read it: one that was typed stays
// in this browser until it is forgotten, and one that came with a link stays in this tab. It is
// never part of an address.

import { store, stored } from "../storage";

/** Credentials hold the person's token, if the server needs one. */
export class Credentials {
  readonly #key: string;
  #memory: string | undefined; // for browsers that store nothing

  /** Servers at other paths of the same origin have tokens of their own. */
  constructor(base: string) {
    this.#key = `wsh-token:${new URL(base).pathname}`;
  }

  token(): string | undefined {
    return this.#memory ?? stored("sessionStorage", this.#key) ?? stored("localStorage", this.#key);
  }

  /** fromLink reports whether the token came with a link. */
  fromLink(): boolean {
    return stored("sessionStorage", this.#key) !== undefined;
  }

  /** remember keeps a token that the person has typed. */
  remember(token: string): void {
    this.forget();
    if (!store("localStorage", this.#key, token)) this.#memory = token;
  }

  /** borrow keeps the token of a link for this tab. */
  borrow(token: string): void {
    if (!store("sessionStorage", this.#key, token)) this.#memory = token;
  }

  /** forget forgets the token in use. After that of a link, a typed one is used again. */
  forget(): void {
    this.#memory = undefined;
    store(this.fromLink() ? "sessionStorage" : "localStorage", this.#key, undefined);
  }
}
