// What is displayed where there are no panes: how to get one.

import { h, on, tool } from "./html";
import type { Page } from "./page";

/** Vacancy is why there are no panes: the list is awaited, it is empty, or nothing in it is open. */
export type Vacancy = "waiting" | "none" | "choose";

type Needs = Pick<Page, "drawer" | "make" | "rights">;

/** Empty is the page without panes. */
export class Empty {
  readonly element = h("section", { class: "empty", hidden: true });
  readonly #page: Needs;
  readonly #key: string | undefined;

  /** key is the key of the dialog that creates a session, as the person's keyboard has it. */
  constructor(page: Needs, key: string | undefined) {
    this.#page = page;
    this.#key = key;
  }

  /** draw displays why there are no panes; nothing if there are some. */
  draw(why: Vacancy | undefined): void {
    const kind = why ?? "";
    this.element.hidden = kind === "";
    if (this.element.dataset["kind"] === kind) return;
    this.element.dataset["kind"] = kind;
    const drawer = tool("menu", "Sessions", () => this.#page.drawer(true));
    drawer.classList.add("drawer-button");
    const mayCreate = this.#page.rights.may("manage");
    switch (kind) {
      case "none":
        this.element.replaceChildren(
          drawer,
          h("h2", {}, "No terminals yet"),
          h("p", {}, this.#page.rights.limited ? "Sessions that your token covers appear here." : "Sessions that you, a script or an agent start on this server appear here."),
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
    const button = h("button", { type: "button", class: "primary" }, "New terminal", this.#key === undefined ? undefined : h("kbd", {}, this.#key));
    return on(button, "click", () => this.#page.make());
  }
}
