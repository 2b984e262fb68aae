// A question of the terminal's view to the person, above it. It is asked where going on would be
// hard to undo: opening an address, or pasting several lines into a shell.

import { button, make } from "../elements";

/** Confirmation is what to ask. */
export interface Confirmation {
  readonly title: string;
  readonly text?: string; // for the person
  readonly literal?: string; // what this is about, displayed as it is, in full
  readonly yes: string;
}

/** confirm asks, and resolves to whether the person agrees. Escape and "Cancel" decline. */
export function confirm(host: HTMLElement, { title, text, literal, yes }: Confirmation): Promise<boolean> {
  const dialog = make("dialog", "terminal-confirm");
  const body = make("div", "terminal-confirm-body");
  body.tabIndex = 0; // a long text can be scrolled by keys
  for (const [tag, content] of [["p", text], ["pre", literal]] as const) {
    if (content !== undefined) body.append(make(tag, "", content));
  }
  const buttons = make("footer");
  const cancel = button("", "Cancel", () => dialog.close(""));
  buttons.append(cancel, button("terminal-yes", yes, () => dialog.close("yes")));
  dialog.append(make("h2", "", title), body, buttons);
  dialog.setAttribute("aria-label", title);
  // The keys are not for the terminal below.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  host.append(dialog);
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    dialog.showModal();
    cancel.focus();
  });
}
