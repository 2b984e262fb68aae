// What is displayed where there are no panes: how to get one.

import { h, on, tool } from "./html";

/** Vacancy is why there are no panes: the list is awaited, it is empty, or nothing in it is open. */
export type Vacancy = "waiting" | "none" | "choose";

export interface EmptyOptions {
  /** limited is whether the person's token covers some sessions only. */
  limited(): boolean;
  /** mayCreate is whether the person may create sessions. */
  mayCreate(): boolean;
  /** createKey is the key of the dialog that creates a session, as the person's keyboard has it. */
  createKey(): string | undefined;
  /** create creates a session with the person's shell. */
  create(): void;
  /** drawer opens the list where it covers the page. */
  drawer(): void;
}

/** Empty is the page without panes. */
export class Empty {
  readonly element = h("section", { class: "empty", hidden: true });
  readonly #o: EmptyOptions;

  constructor(options: EmptyOptions) {
    this.#o = options;
  }

  /** draw displays why there are no panes; nothing if there are some. */
  draw(why: Vacancy | undefined): void {
    const kind = why ?? "";
    this.element.hidden = kind === "";
    if (this.element.dataset["kind"] === kind) return;
    this.element.dataset["kind"] = kind;
    const drawer = tool("menu", "Sessions", () => this.#o.drawer());
    drawer.classList.add("drawer-button");
    const mayCreate = this.#o.mayCreate();
    switch (kind) {
      case "none":
        this.element.replaceChildren(
          drawer,
          h("h2", {}, "No terminals yet"),
          h("p", {}, this.#o.limited() ? "Sessions that your token covers appear here." : "Sessions that you, a script or an agent start on this server appear here."),
          ...(mayCreate ? [this.#create(), h("p", { class: "hint" }, "On the command line: ", h("code", {}, "wsh"), " starts one, too.")] : [h("p", { class: "hint" }, "Your token does not allow creating any.")]),
        );
        break;
      case "choose":
        this.element.replaceChildren(
          drawer,
          h("h2", {}, "Choose a session"),
          h("p", {}, "The list has them; those that need you come first."),
          ...(mayCreate ? [this.#create()] : []),
        );
        break;
      case "waiting":
        this.element.replaceChildren();
        break;
    }
  }

  #create(): HTMLElement {
    const key = this.#o.createKey();
    const button = h("button", { type: "button", class: "primary" }, "New terminal", key === undefined ? undefined : h("kbd", {}, key));
    return on(button, "click", () => this.#o.create());
  }
}
