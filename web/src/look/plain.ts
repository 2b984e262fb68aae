// Whether a page can tell when its window got its size and colours.

import { isJavaScript } from "../dom/scripts";

const COMPONENTS = new Set(["ui-terminal", "ui-popup"]);
const SCRIPTS = /^\/(main-\w+|popup)\.js$/;

/**
 * plain returns whether only styles can tell in which window the page is. Then it looks in a window
 * that has been changed as it would in one that was like this when the page was loaded. Scripts,
 * components and documents of others may have looked at the window once.
 */
export function plain(): boolean {
  if (document.documentElement.hasAttribute("data-ui-ran")) return false;
  for (const element of document.querySelectorAll("*")) {
    const { localName: tag } = element;
    if (tag.includes("-") && !COMPONENTS.has(tag) || element.matches("iframe, object, embed")) return false;
    if (tag === "script" && !ours(element as HTMLScriptElement)) return false;
    if (element.getAttributeNames().some((name) => name.startsWith("on"))) return false;
    // Sizes of what is not drawn may be remembered.
    if (getComputedStyle(element).contentVisibility !== "visible") return false;
  }
  return true;
}

function ours(script: HTMLScriptElement): boolean {
  if (!isJavaScript(script)) return true;
  const { origin, pathname } = new URL(script.src, location.href);
  return script.src !== "" && origin === location.origin && SCRIPTS.test(pathname);
}
