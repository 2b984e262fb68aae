// Keeps the person's token where scripts of other origins cannot read it: one that was typed stays
// in this browser until it is forgotten, and one that came with a link stays in this tab. It is
// never part of an address.

/** Credentials hold the person's token, if the server needs one. */
export class Credentials {
  readonly #key: string;
  #memory: string | undefined; // for browsers that store nothing

  /** Servers at other paths of the same origin have tokens of their own. */
  constructor(base: string) {
    this.#key = `wsh-token:${new URL(base).pathname}`;
  }

  token(): string | undefined {
    return this.#memory ?? read(sessionStorage, this.#key) ?? read(localStorage, this.#key);
  }

  /** fromLink reports whether the token came with a link. */
  fromLink(): boolean {
    return read(sessionStorage, this.#key) !== undefined;
  }

  /** remember keeps a token that the person has typed. */
  remember(token: string): void {
    this.forget();
    if (!write(localStorage, this.#key, token)) this.#memory = token;
  }

  /** borrow keeps the token of a link for this tab. */
  borrow(token: string): void {
    if (!write(sessionStorage, this.#key, token)) this.#memory = token;
  }

  /** forget forgets the token in use. After that of a link, a typed one is used again. */
  forget(): void {
    this.#memory = undefined;
    if (this.fromLink()) sessionStorage.removeItem(this.#key);
    else write(localStorage, this.#key, undefined);
  }
}

function read(storage: Storage, key: string): string | undefined {
  try {
    return storage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(storage: Storage, key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) storage.removeItem(key);
    else storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
