// The templates that the server defined.

import type { Def } from "../wire";
import type { Template } from "./instance";

/**
 * Library maps the connection's template ids to templates. A definition is compiled when it is used,
 * and once for all definitions with the same content; what is not used any more is forgotten, since
 * a view that is saved again and again would leave its nodes here.
 */
export class Library {
  readonly #compile: (def: Def) => Template;
  #defs = new Map<number, Def>();
  #byID = new Map<number, Template>();
  #byContent = new Map<string, Template>();

  constructor(compile: (def: Def) => Template) {
    this.#compile = compile;
  }

  /** reset replaces all definitions. One with the same content as before keeps its Template. */
  reset(defs: readonly Def[]): void {
    this.#defs = new Map();
    this.#byID = new Map();
    this.define(defs);
  }

  /** define adds definitions. */
  define(defs: readonly Def[]): void {
    for (const def of defs) this.#defs.set(def.id, def);
  }

  get(id: number): Template | undefined {
    const known = this.#byID.get(id);
    const def = this.#defs.get(id);
    if (known !== undefined || def === undefined) return known;
    const content = JSON.stringify([def.key, def.html, def.bind]);
    const template = this.#byContent.get(content) ?? this.#compile(def);
    this.#byContent.set(content, template);
    this.#byID.set(id, template);
    return template;
  }

  /** keep forgets all templates but those in use. */
  keep(used: ReadonlySet<Template>): void {
    for (const map of [this.#byID, this.#byContent] as Map<unknown, Template>[]) {
      for (const [key, template] of map) if (!used.has(template)) map.delete(key);
    }
  }
}
