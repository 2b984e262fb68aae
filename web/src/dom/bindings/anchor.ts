// Keeps visible rows at their position while the rows around them change.

import type { Extents } from "../../data/extents";
import { focused } from "../../focus";
import { hostOf } from "../inherited";
import type { Instance } from "../instance";
import { contentBottom, contentTop, scrollerOf, visible } from "../viewport";

/** Seen is what is visible of a list. Positions are in the window. */
interface Seen {
  readonly holder: Element;
  readonly rows: readonly (readonly [row: Instance, top: number])[]; // the visible ones
  readonly index: number; // of the topmost visible row
  readonly top: number; // where that row starts
  readonly end: number | undefined; // where the list ends, if that is visible
}

/** Anchor remembers what is visible of a windowed list. */
export class Anchor {
  readonly #seen: Seen;

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
    return new Anchor({ holder, rows: seen, index, top: start + extents.offset(index), end });
  }

  private constructor(seen: Seen) {
    this.#seen = seen;
  }

  /**
   * hold scrolls so that the remembered rows are where they were. row returns a row by its index. It
   * returns by how many pixels.
   */
  hold(rows: readonly Instance[], row: (index: number) => Instance | undefined): number {
    const by = this.#moved(rows, row);
    if (Math.abs(by) < 0.5) return 0;
    scrollerOf(this.#seen.holder).scrollBy({ top: by, behavior: "instant" });
    return by;
  }

  /** moved returns by how much the anchor moved. */
  #moved(rows: readonly Instance[], row: (index: number) => Instance | undefined): number {
    const there = new Set(rows);
    const { holder, rows: seen, index, top, end } = this.#seen;
    for (const [instance, was] of seen) if (there.has(instance)) return (topOf(instance) ?? was) - was;
    if (end !== undefined) return contentBottom(holder) - end;
    const instance = row(index);
    return ((instance && topOf(instance)) ?? top) - top;
  }
}

function topOf({ roots }: Instance): number | undefined {
  return hostOf(roots)?.getBoundingClientRect().top;
}
