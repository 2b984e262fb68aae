// The title of the tab, from what the app displays.

import { whenIdle } from "../idle";

/** The titles that a page has while it has none of its own. */
const DEFAULTS: ReadonlySet<string> = new Set(["", "ui-mcp"]);

/** The number of questions in front of a title. */
const MARK = /^\(\d+\) /;

const LONGEST = 80; // characters

/**
 * titles names the tab after the app's first heading that is displayed, or else after its type, each
 * time that the function that it returns is called: when the browser is idle. A title that the page
 * or a script sets stays.
 */
export function titles(root: Element): () => void {
  let last: string | undefined; // what was set here
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    whenIdle(() => {
      pending = false;
      const now = document.title.replace(MARK, "");
      if (now !== last && !DEFAULTS.has(now)) return;
      const next = titleOf(root);
      if (next !== "" && next !== now) document.title = last = next;
    });
  };
}

function titleOf(root: Element): string {
  for (const h1 of root.querySelectorAll("h1")) {
    const heading = h1.closest("[hidden]") === null ? h1.textContent.replace(/\s+/g, " ").trim() : "";
    if (heading !== "") return heading.length > LONGEST ? `${heading.slice(0, LONGEST - 1)}…` : heading;
  }
  const view = root.querySelector('[ui-viewdef]:not([ui-viewdef^="MCP."])');
  return view?.getAttribute("ui-viewdef")?.split(".")[0] ?? "";
}
