// What a program that takes pictures of pages runs in them.

import { around, type Box } from "./flat";
import { findings, type Finding } from "./findings";
import { plain } from "./plain";
import { settle } from "./settle";

/** elementsOf returns the first elements of instances; with at, the element of that number in the only one. */
function elementsOf(instances: readonly number[], at: number): Element[] {
  const roots = instances.flatMap((id) => [...document.querySelectorAll(`[data-ui-in="${id}"]`)]);
  if (at < 0) return roots;
  const inside = roots.flatMap((root) => [root, ...root.querySelectorAll(`[data-ui-at="${at}"]`)]);
  return inside.filter((e) => e.getAttribute("data-ui-at") === String(at) && roots.includes(e.closest("[data-ui-in]") as Element));
}

/** reveal scrolls to what rect is about. */
function reveal(instances: readonly number[], at: number): void {
  elementsOf(instances, at)[0]?.scrollIntoView({ block: "start", behavior: "instant" });
}

/** rect returns where elements are on the page; null where they are not displayed. */
function rect(instances: readonly number[], at: number): Box | null {
  const elements = elementsOf(instances, at);
  const box = around(elements.flatMap((e) => [e, ...e.querySelectorAll("*")]).map((e) => e.getBoundingClientRect()));
  if (box === undefined) return null;
  return { left: box.left + scrollX, right: box.right + scrollX, top: box.top + scrollY, bottom: box.bottom + scrollY };
}

/** height returns how high the whole page is. */
function height(): number {
  return Math.max(document.documentElement.scrollHeight, document.body.scrollHeight);
}

/** inspect lists what is wrong with what rect is about; with the page when that is none. */
function inspect(instances: readonly number[], at: number): Finding[] {
  return findings(instances.length === 0 ? [document.body] : elementsOf(instances, at));
}

Object.assign(window, { uiLook: { settle, inspect, plain, reveal, rect, height } });
