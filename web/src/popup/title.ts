// The number of questions in the tab's title.

/** Title puts a number before the page's own title, which may have a number of its own. */
export class Title {
  #count = 0;
  #bare = document.title; // the page's own title
  #written = document.title;

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
    // A page may write back a title that it has read.
    if (document.title !== this.#written) this.#bare = document.title.replace(this.#written, () => this.#bare);
    this.#written = this.#count > 0 ? `(${this.#count}) ${this.#bare}` : this.#bare;
    if (document.title !== this.#written) document.title = this.#written;
  }
}
