// The title of the tab, from what the app displays.

/** The titles that a page has while it has none of its own. */
const DEFAULTS: ReadonlySet<string> = new Set(["", "ui-mcp"]);

/** Marks in front of a title: of the number of questions, and of a tab that calls for attention. */
const MARK = /^(\(\d+\) |● )/;

const LONGEST = 80; // characters

/** Title names the tab after the app's first heading that is displayed, or else after its type. */
export class Title {
  readonly #root: Element;
  #last: string | undefined; // what this class has set
  #pending = false;

  constructor(root: Element) {
    this.#root = root;
  }

  /** update follows the app when the browser is idle. A title that the page or a script sets stays. */
  update(): void {
    if (this.#pending) return;
    this.#pending = true;
    requestIdleCallback(
      () => {
        this.#pending = false;
        const now = document.title.replace(MARK, "");
        if (now !== this.#last && !DEFAULTS.has(now)) return;
        const next = titleOf(this.#root);
        if (next === "" || next === now) return;
        this.#last = next;
        document.title = next;
      },
      { timeout: 1000 },
    );
  }
}

function titleOf(root: Element): string {
  for (const h1 of root.querySelectorAll("h1")) {
    const heading = h1.closest("[hidden]") === null ? h1.textContent.replace(/\s+/g, " ").trim() : "";
    if (heading !== "") return heading.length > LONGEST ? `${heading.slice(0, LONGEST - 1)}…` : heading;
  }
  const view = root.querySelector('[ui-viewdef]:not([ui-viewdef^="MCP."])');
  return view?.getAttribute("ui-viewdef")?.split(".")[0] ?? "";
}
