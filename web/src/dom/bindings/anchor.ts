// Keeps visible rows at their position while the rows around them change.

import type { Extents } from "../../data/extents";
import { focused } from "../../focus";
import { hostOf } from "../inherited";
import type { Instance } from "../instance";
import { contentBottom, contentTop, scrollerOf, visible } from "../viewport";

/** Anchor remembers what is visible of a windowed list. */
export class Anchor {
  readonly #holder: Element;
  readonly #rows: readonly (readonly [Instance, number])[]; // the visible rows, with their tops in the window
  readonly #index: number; // of the topmost visible row
  readonly #top: number; // where that row starts, in the window
  readonly #end: number | undefined; // where the list ends, if that is visible

  /** take remembers what is visible; undefined at the start of the list, where new rows should appear. */
  static take(holder: Element, rows: readonly Instance[], extents: Extents): Anchor | undefined {
    if (!holder.isConnected || extents.length === 0) return undefined;
    const view = visible(holder);
    const start = contentTop(holder);
    if (view === null || start >= view.top) return undefined;
    const seen: [Instance, number][] = [];
    for (const row of rows) {
      const at = hostOf(row.roots)?.getBoundingClientRect();
      if (at === undefined || at.bottom <= view.top || at.top >= view.bottom) continue;
      // The row with the focus comes first.
      if (row.roots.some((node) => node.contains(focused()))) seen.unshift([row, at.top]);
      else seen.push([row, at.top]);
    }
    const index = extents.at(view.top - start);
    const bottom = contentBottom(holder);
    const end = bottom <= view.bottom + 1 ? bottom : undefined;
    return new Anchor(holder, seen, index, start + extents.offset(index), end);
  }

  private constructor(
    holder: Element,
    rows: readonly (readonly [Instance, number])[],
    index: number,
    top: number,
    end: number | undefined,
  ) {
    this.#holder = holder;
    this.#rows = rows;
    this.#index = index;
    this.#top = top;
    this.#end = end;
  }

  /**
   * hold scrolls so that the remembered rows are where they were. row returns a row by its index. It
   * returns by how many pixels.
   */
  hold(rows: readonly Instance[], row: (index: number) => Instance | undefined): number {
    const by = this.#moved(rows, row);
    if (Math.abs(by) < 0.5) return 0;
    scrollerOf(this.#holder).scrollBy({ top: by, behavior: "instant" });
    return by;
  }

  /** moved returns by how much the anchor moved. */
  #moved(rows: readonly Instance[], row: (index: number) => Instance | undefined): number {
    const there = new Set(rows);
    for (const [instance, top] of this.#rows) if (there.has(instance)) return (topOf(instance) ?? top) - top;
    if (this.#end !== undefined) return contentBottom(this.#holder) - this.#end;
    const instance = row(this.#index);
    return ((instance && topOf(instance)) ?? this.#top) - this.#top;
  }
}

function topOf({ roots }: Instance): number | undefined {
  return hostOf(roots)?.getBoundingClientRect().top;
}
