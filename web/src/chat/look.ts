// How a view looks: the host's theme, styles and language, and the size that the view reports.

import type { HostContext } from "./host";

const SETTLE = 30; // milliseconds during which changes of the size are collected

/** Look applies the theme, styles and language of the host to the document. */
export class Look {
  readonly #html = document.documentElement;
  readonly #fonts = document.createElement("style");
  readonly #system = matchMedia("(prefers-color-scheme: dark)");
  readonly #themed: (dark: boolean) => void;
  #context: HostContext = {};
  #dark = false;
  #begun = false; // the constructor has ended: what themed refers to may exist

  /** themed is called when the theme has changed. */
  constructor(themed: (dark: boolean) => void) {
    this.#themed = themed;
    document.head.append(this.#fonts);
    this.#system.addEventListener("change", () => this.#theme());
    this.#theme();
    this.#begun = true;
  }

  /** dark is whether the theme is dark. */
  get dark(): boolean {
    return this.#dark;
  }

  apply(context: HostContext): void {
    this.#context = context;
    this.#theme();
    for (const [name, value] of Object.entries(context.variables ?? {})) {
      if (name.startsWith("--") && typeof value === "string") this.#html.style.setProperty(name, value);
    }
    if (this.#fonts.textContent !== (context.fonts ?? "")) this.#fonts.textContent = context.fonts ?? "";
    if (context.locale !== undefined) this.#html.lang = context.locale;
    this.#html.dataset["display"] = context.displayMode ?? "inline";
    const { style } = document.body;
    for (const side of ["top", "right", "bottom", "left"] as const) {
      style.setProperty(`padding-${side}`, context.safeArea === undefined ? "" : `${context.safeArea[side]}px`);
    }
  }

  #theme(): void {
    const dark = this.#context.theme === undefined ? this.#system.matches : this.#context.theme === "dark";
    this.#html.style.colorScheme = dark ? "dark" : "light";
    this.#html.classList.toggle("sl-theme-dark", dark);
    this.#html.classList.toggle("sl-theme-light", !dark);
    if (dark === this.#dark) return;
    this.#dark = dark;
    if (this.#begun) this.#themed(dark);
  }
}

/** watchSize calls report with the size of element, and what surrounds it, whenever it has changed. */
export function watchSize(element: HTMLElement, report: (width: number, height: number) => void): void {
  let last = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const measure = (): void => {
    timer = undefined;
    const { width, height } = element.getBoundingClientRect();
    const inset = getComputedStyle(document.body);
    const size = [
      Math.ceil(Math.max(width, element.scrollWidth) + parseFloat(inset.paddingLeft) + parseFloat(inset.paddingRight)),
      Math.ceil(height + parseFloat(inset.paddingTop) + parseFloat(inset.paddingBottom)),
    ] as const;
    if (last === String(size)) return;
    last = String(size);
    report(...size);
  };
  new ResizeObserver(() => (timer ??= setTimeout(measure, SETTLE))).observe(element);
}
