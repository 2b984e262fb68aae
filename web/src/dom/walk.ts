// Finds nodes in a clone without a query, by paths that are computed once for each template.

/** Step leads past skip siblings to one node, and from there to its descendants. */
export interface Step {
  skip: number; // siblings between the node before, or the first child, and this node
  readonly target: number; // index in the result, or -1 for a node only passed through
  readonly inner: readonly Step[];
}

/** pathsTo computes the steps from root to each of nodes, which are its descendants. */
export function pathsTo(root: Node, nodes: readonly (Node | undefined)[]): readonly Step[] {
  const index = new Map<Node, number>();
  const passed = new Set<Node>();
  nodes.forEach((node, i) => {
    if (node === undefined) return;
    index.set(node, i);
    for (let n: Node | null = node; n !== null && n !== root && !passed.has(n); n = n.parentNode) passed.add(n);
  });
  const within = (parent: Node): readonly Step[] => {
    const steps: Step[] = [];
    let skip = 0;
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (!passed.has(child)) {
        skip++;
        continue;
      }
      steps.push({ skip, target: index.get(child) ?? -1, inner: within(child) });
      skip = 1; // from this one to the next
    }
    return steps;
  };
  return within(root);
}

/** walk follows steps from root and stores the nodes in found. */
export function walk(root: Node, steps: readonly Step[], found: Node[]): void {
  let node = root.firstChild;
  for (const step of steps) {
    for (let i = step.skip; i > 0; i--) node = (node as ChildNode).nextSibling;
    if (step.target >= 0) found[step.target] = node as ChildNode;
    if (step.inner.length > 0) walk(node as ChildNode, step.inner, found);
  }
}
