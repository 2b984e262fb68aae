// The templates that the server has defined.

import type { Def } from "../wire";
import type { Template } from "./instance";

/** Library finds templates by the ids of the connection, and knows a definition again that came before. */
export class Library {
  readonly #compile: (def: Def) => Template;
  #byID = new Map<number, Template>();
  #byContent = new Map<string, Template>();

  constructor(compile: (def: Def) => Template) {
    this.#compile = compile;
  }

  /** reset begins anew with defs. A definition with the same content as before is the same Template. */
  reset(defs: readonly Def[]): void {
    const before = this.#byContent;
    this.#byID = new Map();
    this.#byContent = new Map();
    this.#take(defs, before);
  }

  /** define adds definitions. */
  define(defs: readonly Def[]): void {
    this.#take(defs, this.#byContent);
  }

  get(id: number): Template | undefined {
    return this.#byID.get(id);
  }

  #take(defs: readonly Def[], known: ReadonlyMap<string, Template>): void {
    for (const def of defs) {
      const content = JSON.stringify([def.key, def.html, def.bind]);
      const template = known.get(content) ?? this.#compile(def);
      this.#byContent.set(content, template);
      this.#byID.set(def.id, template);
    }
  }
}
