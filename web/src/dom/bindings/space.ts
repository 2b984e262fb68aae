// Spacers for the unrendered rows of a windowed list, as high as the rows, with a placeholder
// pattern.

import { adopt } from "../../elements";

// :where has no weight, so that any rule of the page's own styles wins.
const STYLE = `
:where(.ui-space) {
  display: block; flex: none; grid-column: 1 / -1; box-sizing: border-box; list-style: none;
  margin: 0; padding: 0; border: 0; overflow-anchor: none;
}
:where(.ui-space:not(tr)), :where(tr.ui-space)::before {
  background: linear-gradient(transparent 38%, color-mix(in srgb, currentColor 9%, transparent) 38% 62%, transparent 62%)
    0.75rem 0 / min(60%, 24rem) var(--ui-row, 32px) repeat-y;
}
/* A table row without cells paints no background. A cell would take part in the layout of columns. */
:where(tr.ui-space) { display: table-row; position: relative; }
:where(tr.ui-space)::before { content: ""; position: absolute; inset: 0; }
.ui-space[hidden] { display: none !important; }`;

/** Space is the spacer before some rows, or after the last row. */
export class Space {
  readonly #bar: HTMLElement;
  readonly #blank: HTMLElement;

  /** holder is the list that the space will be in. */
  constructor(holder: Element) {
    adopt(document, STYLE);
    // Two elements, so that :nth-child(odd) matches the same rows.
    this.#bar = make(holder);
    this.#blank = make(holder);
    this.#blank.hidden = true;
  }

  /** insert puts the spacer before a node of the holder, or at its end. */
  insert(holder: Element, before: ChildNode | null): void {
    if (this.#bar.parentNode === holder && this.#blank.nextSibling === before) return;
    holder.insertBefore(this.#bar, before);
    holder.insertBefore(this.#blank, before);
  }

  /** size sets the height of the spacer, and of one row of its pattern, in pixels. */
  size(height: number, row: number): void {
    this.#bar.hidden = height < 1;
    this.#bar.style.height = `${height}px`;
    this.#bar.style.setProperty("--ui-row", `${Math.max(row, 16)}px`);
  }

  remove(): void {
    this.#bar.remove();
    this.#blank.remove();
  }
}

const TAGS = new Map([
  ["ul", "li"],
  ["ol", "li"],
  ["menu", "li"],
  ["table", "tr"],
  ["thead", "tr"],
  ["tbody", "tr"],
  ["tfoot", "tr"],
]);

function make(holder: Element): HTMLElement {
  const element = document.createElement(TAGS.get(holder.localName) ?? "div");
  element.className = "ui-space";
  element.setAttribute("aria-hidden", "true");
  return element;
}
