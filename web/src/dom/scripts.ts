// Scripts inside templates. A clone of a script does not run, so a fresh one
// takes its place.

import { named } from "../source";
import type { Instance } from "./instance";

/** Pending is a script that has not run. */
export interface Pending {
  readonly instance: Instance;
  readonly script: HTMLScriptElement;
}

/**
 * runInOrder runs the scripts that are in the document, in document order. One
 * that throws reports to the window, and the next runs. Each runs within
 * around, which gets the key of its template.
 */
export function runInOrder(pending: readonly Pending[], around: (key: string, run: () => void) => void): void {
  const present = pending.filter(({ script }) => script.isConnected);
  present.sort(({ script: a }, { script: b }) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  for (const { instance, script } of present) {
    if (!script.isConnected) continue; // one before took it away
    const copy = fresh(script, instance.template.key);
    instance.replaced([script], [copy]); // before it runs: it may move itself
    around(instance.template.key, () => script.replaceWith(copy));
  }
}

const JAVASCRIPT = /^(module|(text|application)\/(java|ecma)script|)$/i;

function fresh(script: HTMLScriptElement, key: string): HTMLScriptElement {
  const copy = document.createElement("script");
  for (const { name, value } of script.attributes) copy.setAttribute(name, value);
  copy.async = script.hasAttribute("async"); // a script made by a script is async unless told otherwise
  // Data in a script stays as it is.
  copy.text = script.text !== "" && JAVASCRIPT.test(script.type) ? named("script", key, script.text) : script.text;
  return copy;
}
