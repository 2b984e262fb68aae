// Walking the page as it is drawn: content of components is where their slots are.

import { parentOf } from "../dom/viewport";

/** A Box is a rectangle in CSS pixels of the viewport. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** around returns the smallest box around boxes that have an area; undefined when there are none. */
export function around(boxes: Iterable<Box>): Box | undefined {
  let all: Box | undefined;
  for (const b of boxes) {
    if (b.right - b.left <= 0 || b.bottom - b.top <= 0) continue;
    all = all === undefined ? b : {
      left: Math.min(all.left, b.left), top: Math.min(all.top, b.top),
      right: Math.max(all.right, b.right), bottom: Math.max(all.bottom, b.bottom),
    };
  }
  return all;
}

/** A Run is a text of the page, and where it is drawn. */
export interface Run {
  readonly node: Text;
  readonly text: string;
  readonly box: Box;
}

export function visible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
}

/** runsIn returns the visible texts below an element, at most limit. */
export function runsIn(root: Element, limit: number): Run[] {
  const runs: Run[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null && runs.length < limit; node = walker.nextNode()) {
    const text = (node as Text).data.trim();
    const parent = parentOf(node);
    if (text === "" || parent === null || parent.closest("script, style, noscript, template, option, ui-terminal") !== null || !visible(parent)) continue;
    range.selectNodeContents(node);
    const box = around(range.getClientRects());
    if (box !== undefined) runs.push({ node: node as Text, text, box });
  }
  return runs;
}
