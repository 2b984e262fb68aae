// The form that asks for the server's token, and explains why the last one was refused.

import { h, on, setText } from "./html";

/** Login covers the page while the server asks for a token. */
export class Login {
  readonly element: HTMLElement;
  readonly #field = h("input", { type: "password", id: "token", autocomplete: "off", required: true, spellcheck: "false", "aria-describedby": "token-hint token-why" });
  readonly #why = h("p", { class: "error", id: "token-why", role: "alert" });
  readonly #form: HTMLElement;
  readonly #refusal = h("p", { role: "alert" });
  readonly #refused = h("section", { hidden: true }, h("h1", {}, "The server does not admit this page"), this.#refusal, on(h("button", { type: "button", class: "primary" }, "Try again"), "click", () => location.reload()));

  constructor(submit: (token: string) => void) {
    this.#form = h(
      "form", {},
      h("h1", {}, "This server asks for a token"),
      h("p", { id: "token-hint" }, "It is the one that the server was started with. ", h("code", {}, "wsh token"), " prints it on the server's machine. It is kept in this browser until you forget it."),
      this.#why,
      h("label", { for: "token" }, "Token"),
      this.#field,
      h("div", { class: "buttons" }, h("button", { class: "primary", type: "submit" }, "Continue")),
    );
    on(this.#form, "submit", (event) => {
      event.preventDefault();
      const token = this.#field.value.trim();
      if (token === "") return;
      this.#field.value = "";
      submit(token);
    });
    this.element = h("main", { class: "login", hidden: true }, this.#form, this.#refused);
  }

  /** ask displays the form. why says what is wrong with the last token; it may be "". */
  ask(why: string): void {
    this.element.hidden = this.#form.hidden = false;
    this.#refused.hidden = true;
    setText(this.#why, why);
    this.#field.focus();
  }

  /** refuse says why the server admits nobody here, with any token. */
  refuse(why: string): void {
    this.element.hidden = this.#refused.hidden = false;
    this.#form.hidden = true;
    setText(this.#refusal, why);
  }

  hide(): void {
    this.element.hidden = true;
    setText(this.#why, "");
  }
}
