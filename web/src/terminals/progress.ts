// A bar with the progress that a program reports.

import { type Progress, progressText } from "./data/session";
import { h } from "./html";

/** progressBar returns a bar, which is hidden until it is drawn. */
export function progressBar(): HTMLElement {
  return h("span", { class: "progress", role: "progressbar", "aria-label": "Progress", "aria-valuemin": "0", "aria-valuemax": "100", hidden: true }, h("span", {}));
}

/** drawProgress displays a progress; undefined hides the bar. */
export function drawProgress(bar: HTMLElement, progress: Progress | undefined): void {
  bar.hidden = progress === undefined;
  if (progress === undefined) return;
  const { state, percent } = progress;
  bar.dataset["state"] = state;
  bar.setAttribute("aria-valuetext", state === "indeterminate" ? "under way" : progressText(progress));
  if (state === "indeterminate") bar.removeAttribute("aria-valuenow");
  else bar.setAttribute("aria-valuenow", String(percent));
  const fill = bar.firstElementChild;
  if (fill instanceof HTMLElement) fill.style.scale = `${state === "indeterminate" ? 1 : percent / 100} 1`;
}
