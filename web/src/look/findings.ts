// What a person could not read or use at this size and in these colours.

import { parentOf } from "../dom/viewport";
import { ratioOf } from "./colour";
import { describe, placeOf, quoted, type Place } from "./describe";
import { missing } from "./glyphs";
import { runsIn, visible, around, type Box, type Run } from "./flat";

export interface Finding {
  readonly code: string;
  readonly place: Place | undefined;
  readonly element: string;
  readonly what: string; // about the element, as the rest of a sentence
  readonly instead: string;
}

const MOST = 20_000; // elements, and texts, that are looked at
const EACH = 10; // findings of one kind
const SLACK = 1.5; // CSS pixels that nobody sees
const TARGET = 24; // CSS pixels, by WCAG 2.2
const BOX = 12; // CSS pixels: browsers make boxes to tick a little larger

/** findings lists what is wrong with these elements and what is in them. Where it cannot be sure, it says nothing. */
export function findings(of: readonly Element[]): Finding[] {
  const all = of.includes(document.body);
  const concerns = (e: Element | null): boolean => e !== null && (all || of.some((part) => part.contains(e)));
  const runs = runsIn(document.body, MOST).filter(({ node }) => concerns(node.parentElement));
  const elements = [...document.body.querySelectorAll("*")].slice(0, MOST).filter((e) => concerns(e) && visible(e));
  return [overflow(elements), clipped(runs), contrasts(runs), targets(elements), narrow(elements), wide(elements), glyphs(runs)].flatMap((kind) => [...kind].slice(0, EACH));
}

function found(code: string, element: Element, what: string, instead: string): Finding {
  return { code, place: placeOf(element), element: describe(element), what, instead };
}

const px = (n: number): string => `${Math.round(n)} px`;

/** contains returns whether an element scrolls or hides what is wider than it is. */
const holds = (style: CSSStyleDeclaration): boolean => style.overflowX !== "visible";

/** framed returns whether people see where an element ends. */
function framed(style: CSSStyleDeclaration): boolean {
  return parseFloat(style.borderRightWidth) > 0 || style.boxShadow !== "none";
}

/** overflow finds what is wider than the page, or than the frame around it. */
function* overflow(elements: readonly Element[]): Iterable<Finding> {
  const width = document.documentElement.clientWidth;
  const wide = new Set<Element>();
  for (const element of elements) {
    const { left, right } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (right - left === 0 || style.position === "fixed" || style.display.startsWith("inline") && !replaced(element)) continue;
    const parent = parentOf(element);
    if (parent === null || within(element, wide)) continue;
    let edge: Element | undefined;
    let held = false;
    let inside = style.position !== "absolute"; // whether a frame further out is meant to be around it
    for (let at: Element | null = parent; at !== null; at = parentOf(at)) {
      const s = getComputedStyle(at);
      if (at === document.body || at === document.documentElement) break;
      held = holds(s);
      if (held) break;
      if (edge === undefined && inside && framed(s)) edge = at;
      inside &&= s.position !== "absolute";
      held = s.position === "fixed"; // the page does not scroll for it
      if (held) break;
    }
    if (!held && right > width + SLACK && document.documentElement.scrollWidth > width + SLACK) {
      wide.add(element);
      yield found("page-overflow", element, `is ${px(right - left)} wide and ends ${px(right - width)} beyond the page of ${width} px, which scrolls sideways`,
        "let it scroll within an element with overflow-x: auto, wrap, or shrink (min-width: 0, max-width: 100%)");
      continue;
    }
    const frame = edge?.getBoundingClientRect();
    if (frame !== undefined && edge !== undefined && right > frame.right + SLACK + 1) {
      wide.add(element);
      yield found("card-overflow", element, `ends ${px(right - frame.right)} beyond the frame of ${describe(edge)}`,
        "let it wrap or shrink (min-width: 0, max-width: 100%), or give the frame overflow-x: auto");
    }
  }
}

function replaced(element: Element): boolean {
  return element.matches("img, video, canvas, iframe, svg, input, select, textarea, button, table");
}

function within(element: Element, set: ReadonlySet<Element>): boolean {
  for (let at: Element | null = element; at !== null; at = parentOf(at)) if (set.has(at)) return true;
  return false;
}

/** clipped finds texts of which a part is cut off, without dots that say so. */
function* clipped(runs: readonly Run[]): Iterable<Finding> {
  const reported = new Set<Element>();
  for (const { node, text, box } of runs) {
    let across = true; // whether what is left of the text may still be cut off, in each direction
    let down = true;
    for (let at = parentOf(node); at !== null && (across || down) && at !== document.documentElement; at = parentOf(at)) {
      const style = getComputedStyle(at);
      if (style.position === "fixed") break;
      const edge = at.getBoundingClientRect();
      const cuts = (value: string): boolean => value === "hidden" || value === "clip";
      const outside = box.right <= edge.left || box.left >= edge.right || box.bottom <= edge.top || box.top >= edge.bottom;
      if (outside && (cuts(style.overflowX) || cuts(style.overflowY)) || edge.width < 4 || edge.height < 4) break; // hidden on purpose
      const dots = style.textOverflow !== "clip" || style.getPropertyValue("-webkit-line-clamp") !== "none";
      const beside = Math.max(box.right - edge.right, edge.left - box.left);
      const below = Math.max(box.bottom - edge.bottom, edge.top - box.top);
      const isCut = (across && cuts(style.overflowX) && beside > SLACK * 2) || (down && cuts(style.overflowY) && below > Math.max(SLACK * 2, lineOf(node) / 4));
      if (isCut && !dots && !reported.has(at)) {
        reported.add(at);
        const element = parentOf(node) ?? at;
        yield found("clipped-text", element, `${at === element ? "cuts" : `is cut off by ${describe(at)}:`} its text ${quoted(text)}${at === element ? " off" : ""}`,
          "let it wrap or grow, or show that there is more: text-overflow: ellipsis");
      }
      if (isCut) break;
      if (style.overflowX !== "visible") across = false;
      if (style.overflowY !== "visible") down = false;
    }
  }
}

function lineOf(node: Text): number {
  const parent = parentOf(node);
  return parent === null ? 16 : parseFloat(getComputedStyle(parent).fontSize);
}

const INERT = ":disabled, [disabled], [aria-disabled=true], [inert]";

/** contrasts finds texts in colours that are too close to what is behind them. */
function* contrasts(runs: readonly Run[]): Iterable<Finding> {
  const seen = new Set<Element>();
  for (const { node, text } of runs) {
    const drawn = parentOf(node);
    const element = node.parentElement;
    if (drawn === null || element === null || seen.has(element) || element.closest(INERT) !== null || drawn.closest("svg") !== null) continue;
    seen.add(element);
    const ratio = ratioOf(drawn);
    const { fontSize, fontWeight } = getComputedStyle(drawn);
    const size = parseFloat(fontSize);
    const need = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    if (ratio === undefined || ratio >= need - 0.005 || /^[\p{S}\p{P}\s]+$/u.test(text)) continue;
    yield found("contrast", element, `has a contrast of ${(Math.floor(ratio * 100) / 100).toFixed(2)}, where ${need} are needed`,
      "take a colour of the text that differs more from the background, such as a variable of the base style");
  }
}

const TARGETS = [
  "a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary", "[ui-action]",
  ...["button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option"].map((role) => `[role=${role}]`),
  "sl-button", "sl-icon-button", "sl-checkbox", "sl-switch",
].join(", ");

/** targets finds controls that are hard to hit. */
function* targets(elements: readonly Element[]): Iterable<Finding> {
  for (const element of elements) {
    if (!element.matches(TARGETS) || element.closest(INERT) !== null || element.parentElement?.closest("a[href], button") != null) continue;
    const style = getComputedStyle(element);
    if (style.pointerEvents === "none") continue;
    // A link within a sentence is as high as its line, and a slider is as the browser makes it.
    if (element.matches("a[href]") && style.display === "inline" && isAmidText(element)) continue;
    if (element.matches("input[type=range], input[type=file]")) continue;
    const least = element.matches("input[type=checkbox], input[type=radio]") ? BOX : TARGET; // a label is part of it
    const boxes: Box[] = [...element.getClientRects()];
    if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) {
      for (const label of element.labels ?? []) boxes.push(label.getBoundingClientRect());
    }
    const box = around(boxes);
    if (box === undefined) continue;
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    if (Math.min(width, height) >= least - 0.5 || Math.min(width, height) <= 2) continue;
    yield found("small-target", element, `is ${Math.round(width)} × ${px(height)}: too small to hit with a finger`,
      `make it at least ${TARGET} px wide and high (min-inline-size, min-block-size, or padding)`);
  }
}

function isAmidText(element: Element): boolean {
  const around = element.parentElement?.textContent ?? "";
  return around.trim().length > (element.textContent ?? "").trim().length;
}

const NARROW = 24; // CSS pixels that a table may be narrower than the place that it has

/** narrow finds tables that fill their place, and whose rows do not: displayed as blocks, they may scroll, but not grow. */
function* narrow(elements: readonly Element[]): Iterable<Finding> {
  for (const element of elements) {
    const place = parentOf(element);
    if (!(element instanceof HTMLTableElement) || place === null || getComputedStyle(element).display !== "block") continue;
    if (element.offsetWidth > place.clientWidth + SLACK) continue; // it was given a width, with which it scrolls or sticks out
    const rows = around([...element.rows].map((row) => row.getBoundingClientRect()).filter((box) => box.width > 0));
    if (rows === undefined) continue;
    const left = element.clientWidth - (rows.right - rows.left);
    if (left <= NARROW) continue;
    yield found("narrow-table", element, `has rows that end ${px(left)} before its right edge`,
      "put it into an element with overflow-x: auto, and let it be displayed as a table (display: table), which has the whole width");
  }
}

/** wide finds choices that take a whole line of a row that wraps, although half of it would do. */
function* wide(elements: readonly Element[]): Iterable<Finding> {
  for (const element of elements) {
    const row = parentOf(element);
    if (!(element instanceof HTMLSelectElement) || element.size > 1 || row === null) continue;
    const style = getComputedStyle(row);
    if (!style.display.endsWith("flex") || !style.flexDirection.startsWith("row") || style.flexWrap === "nowrap") continue;
    const box = element.getBoundingClientRect();
    const others = [...row.children].filter((e) => e !== element && visible(e)).map((e) => e.getBoundingClientRect());
    const space = row.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const alone = !others.some((other) => other.bottom > box.top && other.top < box.bottom);
    if (others.length === 0 || !alone || box.width < space * 0.95 || needs(element) > space / 2) continue;
    yield found("whole-line", element, `takes a whole line of ${describe(row)}, ${px(box.width)}, and needs ${px(needs(element))}`,
      "give it width: auto, or a flex-basis such as flex: 1 1 8rem");
  }
}

/** needs returns how wide a choice must be for its longest text. */
function needs(element: HTMLSelectElement): number {
  const { fontSize, fontFamily, fontWeight, paddingLeft, paddingRight } = getComputedStyle(element);
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return Infinity;
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const longest = Math.max(0, ...[...element.options].slice(0, 1000).map((option) => context.measureText(option.label).width));
  return longest + parseFloat(paddingLeft) + parseFloat(paddingRight) + 2 * parseFloat(fontSize); // the arrow, and the border
}

/** glyphs finds characters for which no font has a picture. */
function* glyphs(runs: readonly Run[]): Iterable<Finding> {
  for (const { node, characters } of missing(runs)) {
    const element = node.parentElement;
    if (element === null) continue;
    const names = characters.map((c) => `${c} (U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`);
    yield found("missing-glyph", element, `has characters for which this machine has no font: ${names.slice(0, 5).join(", ")}`,
      "take other characters, an <sl-icon> or SVG");
  }
}
