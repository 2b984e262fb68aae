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
  #known = new Map<number, { readonly def: Def; template?: Template | undefined }>();
  readonly #byContent = new Map<string, Template>();

  constructor(compile: (def: Def) => Template) {
    this.#compile = compile;
  }

  /** reset replaces all definitions. One with the same content as before keeps its Template. */
  reset(defs: readonly Def[]): void {
    this.#known.clear();
    this.define(defs);
  }

  /** define adds definitions. */
  define(defs: readonly Def[]): void {
    for (const def of defs) this.#known.set(def.id, { def });
  }

  get(id: number): Template | undefined {
    const known = this.#known.get(id);
    if (known === undefined || known.template !== undefined) return known?.template;
    const { def } = known;
    const content = JSON.stringify([def.key, def.html, def.bind]);
    known.template = this.#byContent.get(content) ?? this.#compile(def);
    this.#byContent.set(content, known.template);
    return known.template;
  }

  /** keep forgets all templates but those in use. */
  keep(used: ReadonlySet<Template>): void {
    for (const known of this.#known.values()) if (known.template !== undefined && !used.has(known.template)) known.template = undefined;
    for (const [content, template] of this.#byContent) if (!used.has(template)) this.#byContent.delete(content);
  }
}
