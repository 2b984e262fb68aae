// The templates that the server defined.

import type { Def } from "../wire";
import type { Template } from "./instance";

/** Library maps the connection's template ids to templates, and compiles each definition once. */
export class Library {
  readonly #compile: (def: Def) => Template;
  #byID = new Map<number, Template>();
  #byContent = new Map<string, Template>();

  constructor(compile: (def: Def) => Template) {
    this.#compile = compile;
  }

  /** reset replaces all definitions. One with the same content as before keeps its Template. */
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
      const content = JSON.stringify([def.key, def.html, def.bind, def.written]);
      const template = known.get(content) ?? this.#compile(def);
      this.#byContent.set(content, template);
      this.#byID.set(def.id, template);
    }
  }
}
