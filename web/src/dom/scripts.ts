// Scripts inside templates. Cloned scripts do not run, so each is replaced by a new element.

import { named } from "../source";
import type { Instance } from "./instance";

/** Pending is a script that has not run. */
export interface Pending {
  readonly instance: Instance;
  readonly script: HTMLScriptElement;
}

/**
 * runInOrder runs the scripts that are in the document, in document order. An exception is reported
 * to the window, and the next script runs. Each runs inside around, which gets its template's key.
 */
export function runInOrder(pending: readonly Pending[], around: (key: string, run: () => void) => void): void {
  const present = pending.filter(({ script }) => script.isConnected);
  present.sort(({ script: a }, { script: b }) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  for (const { instance, script } of present) {
    if (!script.isConnected) continue; // an earlier script removed it
    const copy = fresh(script, instance.template.key);
    instance.targets[instance.targets.indexOf(script)] = copy;
    instance.replaced([script], [copy]); // before it runs: it may move itself
    around(instance.template.key, () => script.replaceWith(copy));
  }
}

const JAVASCRIPT = /^(module|(text|application)\/(java|ecma)script|)$/i;

/** isJavaScript reports whether a script is a program, and not data. */
export function isJavaScript(script: HTMLScriptElement): boolean {
  return JAVASCRIPT.test(script.type);
}

function fresh(script: HTMLScriptElement, key: string): HTMLScriptElement {
  const copy = document.createElement("script");
  for (const { name, value } of script.attributes) copy.setAttribute(name, value);
  copy.async = script.hasAttribute("async"); // scripts made by scripts are async by default
  // A script with data stays unchanged.
  copy.text = script.text !== "" && isJavaScript(script) ? named("script", key, script.text) : script.text;
  return copy;
}
