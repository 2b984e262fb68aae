// How panes share the page: a tree of splits, whose leaves are sessions. It is part of the page's
// address, as in h60(build,v50(web,logs)): build has 60 % of the width, and web is above logs.

import { isSession } from "./hosts";

/** Direction is how a split divides its area: h puts the second part to the right, v below. */
export type Direction = "h" | "v";

/** Side is where to look for the neighbour of a pane. */
export type Side = "left" | "right" | "up" | "down";

export interface Split {
  readonly direction: Direction;
  /** The share of the first part, in percent. */
  readonly share: number;
  readonly first: Layout;
  readonly second: Layout;
}

/** A Layout is a session's name, or a split. No session is in it twice. */
export type Layout = string | Split;

const LEAST = 10; // percent that a part has at least
const MOST = 16; // panes of a layout

/** sessions returns the sessions of a layout, in reading order. */
export function sessions(layout: Layout | undefined): string[] {
  if (layout === undefined) return [];
  return typeof layout === "string" ? [layout] : [...sessions(layout.first), ...sessions(layout.second)];
}

/** has reports whether a session is in a layout. */
export function has(layout: Layout | undefined, session: string): boolean {
  return sessions(layout).includes(session);
}

/** replace puts another session in the place of one. If the layout has it already, the layout stays as it is. */
export function replace(layout: Layout, session: string, other: string): Layout {
  return has(layout, other) ? layout : map(layout, (name) => (name === session ? other : name));
}

/** rename follows sessions that have other names now: names has the new ones by the old ones. */
export function rename(layout: Layout, names: ReadonlyMap<string, string>): Layout {
  let rest = layout;
  for (const session of sessions(layout)) {
    const name = names.get(session);
    // Another session of the new name, which keeps it, had ended and was removed.
    if (name !== undefined && name !== session && !names.has(name) && has(rest, name)) rest = close(rest, name) ?? rest;
  }
  return map(rest, (leaf) => names.get(leaf) ?? leaf);
}

function map(layout: Layout, change: (leaf: string) => Layout): Layout {
  if (typeof layout === "string") return change(layout);
  const [first, second] = [map(layout.first, change), map(layout.second, change)];
  return first === layout.first && second === layout.second ? layout : { ...layout, first, second };
}

/**
 * split divides the pane of a session, and puts another session into its second half. A layout that
 * has the other one already, or has no room for it, stays as it is.
 */
export function split(layout: Layout, session: string, direction: Direction, other: string): Layout {
  if (has(layout, other) || sessions(layout).length >= MOST) return layout;
  return map(layout, (leaf) => (leaf === session ? { direction, share: 50, first: leaf, second: other } : leaf));
}

/** close removes a session's pane; its sibling gets the room. It returns undefined for the last one. */
export function close(layout: Layout | undefined, session: string): Layout | undefined {
  if (typeof layout !== "object") return layout === session ? undefined : layout;
  const [first, second] = [close(layout.first, session), close(layout.second, session)];
  if (first === undefined) return second;
  if (second === undefined) return first;
  return first === layout.first && second === layout.second ? layout : { ...layout, first, second };
}

/** A path leads to a split: 0 is the first part, 1 the second. */
export type Path = readonly (0 | 1)[];

/** resize gives the first part of the split at a path another share, in percent. */
export function resize<L extends Layout | undefined>(layout: L, path: Path, share: number): L | Split {
  if (typeof layout !== "object") return layout;
  const [step, ...rest] = path;
  if (step === undefined) return { ...layout, share: clamp(share) };
  return step === 0 ? { ...layout, first: resize(layout.first, rest, share) } : { ...layout, second: resize(layout.second, rest, share) };
}

function clamp(share: number): number {
  return Math.min(100 - LEAST, Math.max(LEAST, Math.round(share)));
}

/** An Area is in percent of the whole. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A Box is the area of a pane. */
export interface Box extends Area {
  readonly session: string;
}

/** A Border is the line between the two parts of a split, and the area that both share. */
export interface Border extends Area, Pick<Split, "direction" | "share"> {
  readonly path: Path;
}

/** areas returns where each pane and each border is. */
export function areas(layout: Layout | undefined): { readonly boxes: readonly Box[]; readonly borders: readonly Border[] } {
  const boxes: Box[] = [];
  const borders: Border[] = [];
  const visit = (node: Layout, path: Path, area: Area): void => {
    if (typeof node === "string") {
      boxes.push({ session: node, ...area });
      return;
    }
    const { direction, share, first, second } = node;
    borders.push({ path, direction, share, ...area });
    const [at, size] = direction === "h" ? (["x", "width"] as const) : (["y", "height"] as const);
    const part = (area[size] * share) / 100;
    visit(first, [...path, 0], { ...area, [size]: part });
    visit(second, [...path, 1], { ...area, [at]: area[at] + part, [size]: area[size] - part });
  };
  if (layout !== undefined) visit(layout, [], { x: 0, y: 0, width: 100, height: 100 });
  return { boxes, borders };
}

const NEAR = 0.01; // percent within which edges meet

/** neighbour returns the session next to one, on a side. Of several, it is the one beside its middle. */
export function neighbour(layout: Layout | undefined, session: string | undefined, side: Side): string | undefined {
  const { boxes } = areas(layout);
  const from = boxes.find((box) => box.session === session);
  if (from === undefined) return undefined;
  const touches = ({ x, y, width, height }: Box): boolean => {
    const gaps = { left: x + width - from.x, right: from.x + from.width - x, up: y + height - from.y, down: from.y + from.height - y };
    return Math.abs(gaps[side]) < NEAR;
  };
  const across = side === "left" || side === "right";
  const middle = across ? from.y + from.height / 2 : from.x + from.width / 2;
  const distance = (box: Box): number => {
    const [start, size] = across ? [box.y, box.height] : [box.x, box.width];
    return Math.max(start - middle, middle - (start + size), 0);
  };
  return boxes.filter(touches).sort((a, b) => distance(a) - distance(b))[0]?.session;
}

/** print writes a layout as it is in the address. */
export function print(layout: Layout): string {
  return typeof layout === "string" ? layout : `${layout.direction}${layout.share}(${print(layout.first)},${print(layout.second)})`;
}

/** parse reads a layout, or returns undefined if it is malformed, too large, or has a session twice. */
export function parse(text: string): Layout | undefined {
  if (text.length > 2000) return undefined;
  let at = 0;
  const word = /[\p{L}\p{Nd}_.\-/]+/uy;
  const seen = new Set<string>();
  const node = (): Layout | undefined => {
    word.lastIndex = at;
    const head = word.exec(text)?.[0];
    if (head === undefined) return undefined;
    at += head.length;
    if (text[at] !== "(") {
      if (!isSession(head) || seen.has(head) || seen.size >= MOST) return undefined;
      seen.add(head);
      return head;
    }
    const kind = /^([hv])(\d{1,2})$/.exec(head);
    if (kind === null) return undefined;
    at++;
    const first = node();
    if (first === undefined || text[at++] !== ",") return undefined;
    const second = node();
    if (second === undefined || text[at++] !== ")") return undefined;
    return { direction: kind[1] === "h" ? "h" : "v", share: clamp(Number(kind[2])), first, second };
  };
  const layout = node();
  return at === text.length ? layout : undefined;
}
