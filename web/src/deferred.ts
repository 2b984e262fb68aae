// Scripts that are loaded after the app is on the screen, so that they do not delay the first
// paint: <script type="ui-later" src="...">.

import { whenIdle } from "./idle";

const WAITING = 'script[type="ui-later"]';

/** runDeferred runs the document's deferred scripts when the browser is idle. */
export function runDeferred(document: Document): void {
  whenIdle(() => {
    for (const waiting of document.querySelectorAll<HTMLScriptElement>(WAITING)) {
      const script = document.createElement("script");
      script.src = waiting.src;
      waiting.replaceWith(script);
    }
  });
}
