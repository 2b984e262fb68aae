// Scripts that can wait until the app is on the screen:
// <script type="ui-later" src="...">. Loaded at once, they would be in the way
// of the first paint.

const WAITING = 'script[type="ui-later"]';

/** runLater runs the document's waiting scripts as soon as the browser has nothing better to do. */
export function runLater(document: Document): void {
  requestIdleCallback(
    () => {
      for (const waiting of document.querySelectorAll<HTMLScriptElement>(WAITING)) {
        const script = document.createElement("script");
        script.src = waiting.src;
        waiting.replaceWith(script);
      }
    },
    { timeout: 1000 },
  );
}
