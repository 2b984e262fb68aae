// What is displayed where there are no panes: how to get one.

import type { App } from "./app";
import { h, on, tool } from "./html";

type Needs = Pick<App, "drawer" | "make" | "rights">;

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

  /** draw displays why there are no panes: the list is awaited, it is empty, or nothing in it is open. It displays nothing if there are some. */
  draw(why: "waiting" | "none" | "choose" | undefined): void {
    const kind = why ?? "";
    this.element.hidden = kind === "";
    if (this.element.dataset["kind"] === kind) return;
    this.element.dataset["kind"] = kind;
    const drawer = tool("menu", "Sessions", () => this.#page.drawer(true));
    drawer.classList.add("drawer-button");
    const mayCreate = this.#page.rights.may("manage");
    const create = mayCreate ? [this.#create()] : [];
    const hint = mayCreate ? ["On the command line: ", h("code", {}, "wsh"), " starts one, too."] : ["Your token does not allow creating any."];
    const who = this.#page.rights.limited ? "Sessions that your token covers appear here." : "Sessions that you, a script or an agent start on this server appear here.";
    this.element.replaceChildren(...{
      none: [drawer, h("h2", {}, "No terminals yet"), h("p", {}, who), ...create, h("p", { class: "hint" }, ...hint)],
      choose: [drawer, h("h2", {}, "Choose a session"), h("p", {}, "The list has them; those that need you come first."), ...create],
      waiting: [],
    }[why ?? "waiting"]);
  }

  #create(): HTMLElement {
    const button = h("button", { type: "button", class: "primary" }, "New terminal", this.#key === undefined ? undefined : h("kbd", {}, this.#key));
    return on(button, "click", () => this.#page.make());
  }
}
