// The rights of the caller.

export type Right = "read" | "type" | "draw" | "manage" | "administer";

/** Rights are what the token allows, or everything for the owner. */
export class Rights {
  readonly #list: ReadonlySet<string>;
  /** Whether they cover only some sessions. */
  readonly limited: boolean;

  constructor(list: readonly string[], limited: boolean) {
    this.#list = new Set(list);
    this.limited = limited;
  }

  may(right: Right): boolean {
    return this.#list.has(right);
  }
}
