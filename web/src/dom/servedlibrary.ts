// The component library as the server of the page serves it, one module for each component.

import type { ComponentLibrary } from "./components";
import { followScheme } from "./scheme";

const BASE = "/shoelace";

/** servedLibrary loads modules and themes by their URLs. */
export function servedLibrary(report: (where: string, error: unknown) => void): ComponentLibrary {
  return {
    theme: () => followScheme(BASE, report),
    load: (tag) => import(`${BASE}/components/${tag}.js`) as Promise<void>,
  };
}
