// Notifies a person who looks elsewhere: in the tab's title and icon, on the app's icon, and with a
// desktop notification. Notifications name the session and the reason, and never quote its screen.

import type { Call, Need } from "./data/sessions";
import { type Progress, progressText } from "./data/session";
import type { Settings } from "./data/settings";
import { notify } from "../notify";

/** Which setting a notification needs. */
const WANTED = {
  secret: "notifyNeeds", asks: "notifyNeeds", line: "notifyNeeds", notification: "notifyMessages", bell: "notifyBells", failed: "notifyOver", over: "notifyOver",
} as const satisfies Readonly<Record<Need, keyof Settings>>;

/** Notifier displays how many sessions need the person, and announces new ones. */
export class Notifier {
  readonly #open: (session: string) => void;
  #calls = -1;

  constructor(open: (session: string) => void) {
    this.#open = open;
  }

  /** status sets the tab's title and icon. title and progress describe the selected session. */
  status(selected: string | undefined, title: string, progress: Progress | undefined, calls: number): void {
    const name = selected === undefined ? "Terminals" : title === "" || title === selected ? selected : `${selected}: ${title}`;
    const text = (calls > 0 ? `(${calls}) ` : "") + (progress === undefined ? "" : `${progressText(progress)} `) + name;
    if (document.title !== text) document.title = text;
    if (calls === this.#calls) return;
    this.#calls = calls;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link !== null) link.setAttribute("href", calls > 0 ? "ui/icon-calls.svg" : "ui/icon.svg");
    void navigator.setAppBadge?.(calls).catch(() => undefined); // only an installed page has a badge
  }

  /** announce notifies the person of a call, if they want that and look elsewhere. */
  announce(session: string, { need, text }: Call, settings: Settings): void {
    if (settings[WANTED[need]]) show(session, need === "notification" ? "has a message" : text, `wsh-${session}`, () => this.#open(session));
  }

  /** ask notifies the person of a question, if they want that and look elsewhere. */
  ask(settings: Settings): void {
    if (settings.notifyNeeds) show("A question", "waits for your answer", "wsh-question");
  }
}

/** show shows a notification to a person who looks elsewhere. */
function show(title: string, body: string, tag: string, clicked?: () => void): void {
  if (document.visibilityState !== "visible" || !document.hasFocus()) notify(title, { body, tag, icon: "ui/icon-192.png" }, clicked);
}
