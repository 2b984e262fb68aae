// Keeps visible rows at their position while the rows around them change.

import type { Extents } from "../../data/extents";
import { focused } from "../../focus";
import { hostOf } from "../inherited";
import type { Instance } from "../instance";
import { contentBottom, contentTop, scrollerOf, visible } from "../viewport";

/** Hold scrolls so that what was visible of a list is where it was. row returns a row by its index. */
export type Hold = (rows: readonly Instance[], row: (index: number) => Instance | undefined) => void;

/** anchor remembers what is visible of a list; undefined at its start, where new rows should appear. */
export function anchor(holder: Element, rows: readonly Instance[], extents: Extents): Hold | undefined {
  if (!holder.isConnected || extents.length === 0) return undefined;
  const view = visible(holder);
  const start = contentTop(holder);
  if (view === null || start >= view.top) return undefined;
  const seen: [row: Instance, top: number][] = [];
  for (const row of rows) {
    const at = hostOf(row.roots)?.getBoundingClientRect();
    if (at === undefined || at.bottom <= view.top || at.top >= view.bottom) continue;
    // The row with the focus comes first.
    if (row.roots.some((node) => node.contains(focused()))) seen.unshift([row, at.top]);
    else seen.push([row, at.top]);
  }
  const index = extents.at(view.top - start); // of the topmost visible row
  const top = start + extents.offset(index);
  const end = contentBottom(holder);

  const moved = (now: readonly Instance[], row: (index: number) => Instance | undefined): number => {
    const there = new Set(now);
    for (const [instance, was] of seen) if (there.has(instance)) return (topOf(instance) ?? was) - was;
    if (end <= view.bottom + 1) return contentBottom(holder) - end; // the end is visible
    const instance = row(index);
    return ((instance && topOf(instance)) ?? top) - top;
  };
  return (now, row) => {
    const by = moved(now, row);
    if (Math.abs(by) >= 0.5) scrollerOf(holder).scrollBy({ top: by, behavior: "instant" });
  };
}

function topOf({ roots }: Instance): number | undefined {
  return hostOf(roots)?.getBoundingClientRect().top;
}
