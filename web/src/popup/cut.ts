// Marks elements that scroll where something in them is out of sight.

/** cut keeps the classes cut-above and cut-below of an element. The function that it returns is called when the element or its content has changed. */
export function cut(element: HTMLElement): () => void {
  const update = (): void => {
    const { scrollTop, scrollHeight, clientHeight, classList } = element;
    classList.toggle("cut-above", scrollTop > 1);
    classList.toggle("cut-below", scrollHeight - clientHeight - scrollTop > 1); // sizes are rounded
  };
  element.addEventListener("scroll", update, { passive: true });
  return update;
}
