// Marks elements that scroll where something in them is out of sight.

/** Cut keeps the classes cut-above and cut-below of an element. */
export class Cut {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
    element.addEventListener("scroll", () => this.update(), { passive: true });
  }

  /** update is called when the element or its content has changed. */
  update(): void {
    const { scrollTop, scrollHeight, clientHeight, classList } = this.#element;
    classList.toggle("cut-above", scrollTop > 1);
    classList.toggle("cut-below", scrollHeight - clientHeight - scrollTop > 1); // sizes are rounded
  }
}
