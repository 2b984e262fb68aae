// The form that asks for the server's token, and explains why the last one was refused.

import { h, on, setText } from "./html";

/** Login covers the page while the server asks for a token. */
export class Login {
  readonly #field = h("input", { type: "password", id: "token", autocomplete: "off", required: true, spellcheck: "false", "aria-describedby": "token-hint token-why" });
  readonly #why = h("p", { class: "error", id: "token-why", role: "alert" });
  readonly #form = h(
    "form", {},
    h("h1", {}, "This server asks for a token"),
    h("p", { id: "token-hint" }, "It is the one that the server was started with. ", h("code", {}, "wsh token"), " prints it on the server's machine. It is kept in this browser until you forget it."),
    this.#why,
    h("label", { for: "token" }, "Token"),
    this.#field,
    h("div", { class: "buttons" }, h("button", { class: "primary", type: "submit" }, "Continue")),
  );
  readonly element = h("main", { class: "login", hidden: true }, this.#form);

  constructor(submit: (token: string) => void) {
    on(this.#form, "submit", (event) => {
      event.preventDefault();
      const token = this.#field.value.trim();
      if (token === "") return;
      this.#field.value = "";
      submit(token);
    });
  }

  /** ask displays the form. why says what is wrong with the last token; it may be "". */
  ask(why: string): void {
    this.element.replaceChildren(this.#form);
    this.element.hidden = false;
    setText(this.#why, why);
    this.#field.focus();
  }

  /** refuse says why the server admits nobody here, with any token. */
  refuse(why: string): void {
    const again = on(h("button", { type: "button", class: "primary" }, "Try again"), "click", () => location.reload());
    this.element.replaceChildren(h("section", {}, h("h1", {}, "The server does not admit this page"), h("p", { role: "alert" }, why), again));
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
    setText(this.#why, "");
  }
}
