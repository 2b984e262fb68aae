// Rows that a batch moves slide to their new places, in lists with the class "slides".

const duration = 180; // milliseconds

/**
 * places notes where the rows of sliding lists are. The function that it returns lets those that
 * are elsewhere afterwards slide there, also into other lists, unless the person wants less motion.
 */
export function places(root: Element): () => void {
  const rows = [...root.querySelectorAll(".slides > *")];
  if (rows.length === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const before = rows.map((row) => row.getBoundingClientRect());
  return () => {
    const after = rows.map((row) => row.getBoundingClientRect()); // before any animation: it would change them
    rows.forEach((row, i) => {
      const [from, to] = [before[i] as DOMRect, after[i] as DOMRect];
      if (!row.isConnected || from.width === 0 || to.width === 0) return;
      const [x, y] = [from.left - to.left, from.top - to.top];
      if (x === 0 && y === 0) return;
      row.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration, easing: "ease-out" });
    });
  };
}
