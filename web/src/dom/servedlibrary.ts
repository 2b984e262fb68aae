// The component library as the server of the page serves it, one module for each component.

import type { ComponentLibrary } from "./components";
import { followScheme } from "./scheme";

const BASE = "/shoelace";

/** ServedLibrary loads modules and themes by their URLs. */
export class ServedLibrary implements ComponentLibrary {
  readonly #report: (where: string, error: unknown) => void;

  constructor(report: (where: string, error: unknown) => void) {
    this.#report = report;
  }

  theme(): Promise<void> {
    return followScheme(BASE, this.#report);
  }

  async load(tag: string): Promise<void> {
    await import(`${BASE}/components/${tag}.js`);
  }
}
