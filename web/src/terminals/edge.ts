// The edge between the list and the panes: a pointer or the arrow keys move it.

import { SIDEBAR } from "./data/settings";
import { grip } from "./html";
import type { Preferences } from "./preferences";

const STEP = 16; // CSS pixels by which a key moves the edge

/** sidebarEdge returns the edge, which sets the width of the list. */
export function sidebarEdge(preferences: Preferences): HTMLElement {
  const set = (width: number): void => {
    const sidebar = Math.round(Math.min(SIDEBAR.most, Math.max(SIDEBAR.least, width)));
    preferences.set({ sidebar });
    edge.setAttribute("aria-valuenow", String(sidebar));
  };
  const edge = grip("edge", "h", "Width of the list", [SIDEBAR.least, SIDEBAR.most], set, ({ clientX }) => clientX, (key) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[key];
    return step && preferences.settings.sidebar + step;
  });
  edge.setAttribute("aria-valuenow", String(preferences.settings.sidebar));
  return edge;
}
