// The number of questions in the tab's title.

const KEPT = 20; // titles to recognise

/** Title puts a number before the page's own title, which may have a number of its own. */
export class Title {
  #count = 0;
  #bare = document.title; // the page's own title
  #written = document.title;
  readonly #numbered = new Map<string, string>(); // titles that were written here, with the page's own

  constructor() {
    // When the page changes its title, the number must be added again.
    new MutationObserver(() => this.#update()).observe(document.head, { childList: true, subtree: true, characterData: true });
  }

  /** count shows the number of open questions; 0 shows none. */
  count(n: number): void {
    this.#count = n;
    this.#update();
  }

  #update(): void {
    if (document.title !== this.#written) this.#bare = this.#without(document.title);
    this.#written = this.#count > 0 ? `(${this.#count}) ${this.#bare}` : this.#bare;
    if (this.#count > 0) {
      this.#numbered.delete(this.#written);
      this.#numbered.set(this.#written, this.#bare);
      for (const [oldest] of this.#numbered) if (this.#numbered.size > KEPT) this.#numbered.delete(oldest);
    }
    if (document.title !== this.#written) document.title = this.#written;
  }

  /** without returns a title of the page without a number that was put there. A page may write back a title it has read. */
  #without(title: string): string {
    for (const [numbered, bare] of this.#numbered) if (title.includes(numbered)) return title.replace(numbered, () => bare);
    return title;
  }
}
