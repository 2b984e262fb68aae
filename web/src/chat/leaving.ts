// Keeps the view where it is. A frame in a conversation has no way back: whatever would load
// another document there is prevented, and the address of a link goes to the host instead.

import { submissionOf } from "../dom/submission";

/** LeavingEvents say what would have left the view. */
export interface LeavingEvents {
  /** page is the address of the page in the browser, which links are relative to, or "". */
  page(): string;
  /**
   * follow is called with the address of a link that the person has followed. file is the name under
   * which the link wants it saved, or "" if it has none; undefined: it is no link to a file.
   */
  follow(address: string, file?: string): void;
  /** sent is called when the person has sent a form whose answer would have replaced the view. */
  sent(): void;
}

const XLINK = "http://www.w3.org/1999/xlink";

/** stay keeps a window in its document, and the windows of frames in it. */
export function stay(window: Window & typeof globalThis, events: LeavingEvents): void {
  // These listeners come last, so that actions of apps have prevented what they handle.
  for (const type of ["click", "auxclick"] as const) {
    window.addEventListener(type, (event) => {
      if (event.defaultPrevented || event.button > 1) return;
      const link = event.composedPath().find(isLink);
      if (link === undefined) return;
      event.preventDefault();
      const href = hrefOf(link)?.trim() ?? "";
      if (href.startsWith("#")) return scrollTo(link, href.slice(1));
      if (href === "") return; // it would load this document again
      events.follow(addressOf(href, events), link.getAttribute("download") ?? undefined);
    });
  }
  window.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const submission = submissionOf(event);
    if (submission === "dialog") return;
    event.preventDefault();
    if (submission === "address") events.sent();
  });
  window.open = (address) => {
    if (address !== undefined) events.follow(addressOf(String(address), events));
    return null;
  };
  // Scripts navigate, too. Where the host has written the document, browsers do not say so; scripts
  // of apps are kept out by the policy anyway. Hosts may load about:srcdoc again.
  (window as { navigation?: EventTarget }).navigation?.addEventListener("navigate", (event) => {
    const { hashChange, destination } = event as Event & { readonly hashChange: boolean; readonly destination: { readonly url: string } };
    if (!hashChange && !destination.url.startsWith("about:")) event.preventDefault();
  });
  window.document.addEventListener("load", ({ target }) => { // which windows do not get
    const inner = (target as Partial<HTMLIFrameElement> | null)?.contentWindow;
    try {
      if (inner?.document != null) stay(inner as Window & typeof globalThis, events);
    } catch {
      // It is of another origin, and may not navigate the view.
    }
  }, { capture: true });
}

/** addressOf returns where a link leads, as far as that is known. */
function addressOf(href: string, events: LeavingEvents): string {
  return URL.parse(href, events.page() || undefined)?.href ?? href;
}

/** isLink reports whether an event's target is a link: of HTML or SVG, of this document or another. */
function isLink(target: EventTarget): target is Element {
  const { localName } = target as Partial<Element>;
  return (localName === "a" || localName === "area") && hrefOf(target as Element) !== null;
}

function hrefOf(link: Element): string | null {
  return link.getAttribute("href") ?? link.getAttributeNS(XLINK, "href");
}

/** scrollTo scrolls to the element that a fragment names. The address of the document may be another's. */
function scrollTo(link: Element, fragment: string): void {
  const id = decode(fragment);
  const root = link.getRootNode() as Document | ShadowRoot;
  const document = link.ownerDocument;
  const target = root.getElementById(id) ?? document.getElementById(id) ?? document.getElementsByName(id)[0];
  if (target !== undefined) target.scrollIntoView();
  else if (id === "" || id.toLowerCase() === "top") document.documentElement.scrollIntoView();
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
