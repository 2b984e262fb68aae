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
  const cancel = button("", "Cancel", () => dialog.close(""));
  const dialog = make(
    "dialog", { class: "terminal-confirm", "aria-label": title }, make("h2", "", title),
    make("div", { class: "terminal-confirm-body", tabindex: "0" }, text && make("p", "", text), literal && make("pre", "", literal)), // a long text can be scrolled by keys
    make("footer", {}, cancel, button("terminal-yes", yes, () => dialog.close("yes"))),
  );
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
