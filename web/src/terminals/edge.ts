// The edge between the list and the panes: a pointer or the arrow keys move it.

import { SIDEBAR } from "./data/settings";
import { h, on } from "./html";
import type { Preferences } from "./preferences";

const STEP = 16; // CSS pixels by which a key moves the edge

/** sidebarEdge returns the edge, which sets the width of the list. */
export function sidebarEdge(preferences: Preferences): HTMLElement {
  const edge = h("div", {
    class: "edge", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the list",
    "aria-valuemin": SIDEBAR.least, "aria-valuemax": SIDEBAR.most, "aria-valuenow": preferences.settings.sidebar,
  });
  const set = (width: number): void => {
    const sidebar = Math.round(Math.min(SIDEBAR.most, Math.max(SIDEBAR.least, width)));
    preferences.set({ sidebar });
    edge.setAttribute("aria-valuenow", String(sidebar));
  };
  on(edge, "pointerdown", (event) => {
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
  });
  on(edge, "pointermove", (event) => {
    if (edge.hasPointerCapture(event.pointerId)) set(event.clientX);
  });
  on(edge, "keydown", (event) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(preferences.settings.sidebar + step);
  });
  return edge;
}
