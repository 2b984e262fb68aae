// A question of the terminal's view to the person, above it. It is asked where going on would be
// hard to undo: opening an address, or pasting several lines into a shell.

/** Confirmation is what to ask. */
export interface Confirmation {
  readonly title: string;
  readonly text?: string; // for the person
  readonly literal?: string; // what this is about, displayed as it is, in full
  readonly yes: string;
}

/** confirm asks, and resolves to whether the person agrees. Escape and "Cancel" decline. */
export function confirm(host: HTMLElement, { title, text, literal, yes }: Confirmation): Promise<boolean> {
  const dialog = document.createElement("dialog");
  dialog.className = "terminal-confirm";
  const heading = document.createElement("h2");
  heading.textContent = title;
  const body = document.createElement("div");
  body.className = "terminal-confirm-body";
  body.tabIndex = 0; // a long text can be scrolled by keys
  for (const [tag, content] of [["p", text], ["pre", literal]] as const) {
    if (content === undefined) continue;
    const part = document.createElement(tag);
    part.textContent = content;
    body.append(part);
  }
  const buttons = document.createElement("footer");
  const button = (label: string, value: string): HTMLButtonElement => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = label;
    b.onclick = () => dialog.close(value);
    buttons.append(b);
    return b;
  };
  const cancel = button("Cancel", "");
  button(yes, "yes").className = "terminal-yes";
  dialog.append(heading, body, buttons);
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
