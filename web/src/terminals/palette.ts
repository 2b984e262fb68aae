// The command palette: every action and every session, found by words.

import { type Action, keysOf } from "./actions";
import { rank } from "./data/rank";
import { h, on } from "./html";

const SHOWN = 60; // entries at most

/** Palette is a dialog with a field and a list. */
export class Palette {
  readonly #list = h("ul", { id: "palette-list", role: "listbox", "aria-label": "Actions" });
  readonly #field = h("input", {
    type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", autocapitalize: "off", "aria-controls": "palette-list", "aria-expanded": "true", "aria-autocomplete": "list",
  });
  readonly element = h("dialog", { class: "palette", "aria-label": "Actions" }, this.#field, this.#list);
  #actions: readonly Action[] = [];
  #found: readonly Action[] = [];
  #at = 0;

  constructor() {
    on(this.#field, "input", () => this.#search());
    on(this.element, "keydown", (event) => this.#key(event));
    on(this.element, "click", (event) => {
      if (event.target === this.element) this.element.close(); // the backdrop
    });
    on(this.element, "close", () => this.#list.replaceChildren());
  }

  /** open lists actions. The words in the empty field say what to do. */
  open(actions: readonly Action[], words: string): void {
    this.#actions = actions.filter((a) => a.when?.() ?? true);
    this.#field.value = "";
    this.#field.placeholder = words;
    this.#field.setAttribute("aria-label", words);
    if (!this.element.open) this.element.showModal();
    this.#field.focus();
    this.#search();
  }

  #search(): void {
    const query = this.#field.value.trim();
    this.#found = rank(query, this.#actions, ({ title, note }) => (note === undefined ? title : `${title} ${note}`)).slice(0, SHOWN);
    this.#at = 0;
    this.#list.replaceChildren(
      ...this.#found.map((action, index) => {
        const keys = keysOf(action);
        const item = h(
          "li", { id: `palette-${index}`, role: "option" },
          h("span", { class: "what" }, action.title),
          action.note === undefined ? undefined : h("span", { class: "note" }, action.note),
          keys === undefined ? undefined : h("kbd", {}, keys),
        );
        on(item, "click", () => this.#run(action));
        on(item, "pointermove", () => this.#select(index));
        return item;
      }),
    );
    if (this.#found.length === 0) this.#list.append(h("li", { class: "nothing", role: "option", "aria-disabled": "true" }, "Nothing matches."));
    this.#select(0);
  }

  #select(index: number): void {
    this.#list.children[this.#at]?.removeAttribute("aria-selected");
    this.#at = index;
    const item = this.#list.children[index];
    item?.setAttribute("aria-selected", "true");
    item?.scrollIntoView({ block: "nearest" });
    if (this.#found.length > 0) this.#field.setAttribute("aria-activedescendant", `palette-${index}`);
    else this.#field.removeAttribute("aria-activedescendant");
  }

  #key(event: KeyboardEvent): void {
    const last = Math.max(this.#found.length - 1, 0);
    const to = {
      ArrowDown: this.#at >= last ? 0 : this.#at + 1, ArrowUp: this.#at <= 0 ? last : this.#at - 1,
      PageDown: Math.min(last, this.#at + 8), PageUp: Math.max(0, this.#at - 8),
    }[event.key];
    const action = event.key === "Enter" && !event.isComposing ? this.#found[this.#at] : undefined;
    if (to === undefined && action === undefined) return;
    event.preventDefault();
    if (to !== undefined) this.#select(to);
    else if (action !== undefined) this.#run(action);
  }

  #run(action: Action): void {
    this.element.close();
    action.run();
  }
}
