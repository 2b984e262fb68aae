// Actions: the palette lists them by name, and keys run them, too.

import { IS_MAC } from "../terminal/keys";
import { matches, spell } from "./data/keys";

/** An Action is one thing that the person can do. */
export interface Action {
  readonly title: string;
  /** What it concerns, in a few words that the palette displays and searches, too. */
  readonly note?: string;
  /** In the form "Alt+Shift+N"; the first is the one that is displayed. */
  readonly keys?: readonly string[];
  /** The keys work only while no terminal has the focus, since its program may want them. */
  readonly outside?: boolean;
  /** Whether it is possible now; left out: always. */
  readonly when?: () => boolean;
  readonly run: () => void;
}

/** keysOf returns the keys of an action as the person's keyboard has them, or undefined. */
export function keysOf({ keys }: Action): string | undefined {
  return keys?.[0] === undefined ? undefined : spell(keys[0], IS_MAC);
}

/** listen runs actions when their keys are pressed, before a terminal gets them. */
export function listen(actions: () => readonly Action[]): void {
  addEventListener(
    "keydown",
    (event) => {
      if (event.isComposing || document.querySelector("dialog[open], ui-popup[data-state=dialog]") !== null) return;
      const inTerminal = event.target instanceof Element && event.target.closest(".screen") !== null;
      const action = actions().find((a) => !(a.outside === true && inTerminal) && a.keys?.some((keys) => matches(keys, event)) && (a.when?.() ?? true));
      if (action === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      action.run();
    },
    { capture: true },
  );
}
