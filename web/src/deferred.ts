// Scripts that are loaded after the app is on the screen, so that they do not delay the first
// paint: <script type="ui-later" src="...">.

const WAITING = 'script[type="ui-later"]';

/** runDeferred runs the document's deferred scripts when the browser is idle, within a second. Safari does not say when that is. */
export function runDeferred(document: Document): void {
  const run = (): void => {
    for (const waiting of document.querySelectorAll<HTMLScriptElement>(WAITING)) {
      const script = document.createElement("script");
      script.src = waiting.src;
      waiting.replaceWith(script);
    }
  };
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 1000 });
  else setTimeout(run, 200);
}
