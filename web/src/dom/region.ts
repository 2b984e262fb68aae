// A position in the document that holds one instance or a placeholder.

import type { Mount } from "../wire";
import { focused, moveFocus, textIn } from "../focus";
import { inheritedFrom, reinherit, type Inherited } from "./inherited";
import type { Holder, Instance, PageContext } from "./instance";

/** Region swaps the instances at one position of the document. */
export class Region implements Holder {
  readonly #page: PageContext;
  readonly #owner: Instance | null;
  readonly #placeholder: Element;
  readonly #inherits: boolean;
  readonly #changed: (() => void) | undefined;
  #instance: Instance | null = null;
  #given: Inherited | null = null; // what it inherits

  /**
   * placeholder is in the document while there is no instance. With inherits, instances take over
   * its id, classes and styles. changed is called whenever the region's nodes change.
   */
  constructor(page: PageContext, owner: Instance | null, placeholder: Element, inherits: boolean, changed?: () => void) {
    this.#page = page;
    this.#owner = owner;
    this.#placeholder = placeholder;
    this.#inherits = inherits;
    this.#changed = changed;
  }

  /** roots are the region's nodes in the document. */
  get roots(): readonly ChildNode[] {
    return this.#instance === null ? [this.#placeholder] : this.#instance.roots;
  }

  /** instance is the current instance; null while the placeholder is in the document. */
  get instance(): Instance | null {
    return this.#instance;
  }

  /** show displays an instance or nothing. The current instance keeps its DOM and gets the values. */
  show(mount: Mount | null): void {
    const current = this.#instance;
    if (mount === null && current === null) return;
    if (mount !== null && current !== null && this.#page.keeps(current, mount)) {
      this.#page.update(current, mount, this.inherited);
      return;
    }
    const old = this.roots;
    const next = mount === null ? null : this.#page.mount(mount, this.#owner, this.inherited);
    insert(old[0] as ChildNode, next?.roots ?? [this.#placeholder]);
    // Listeners go before the nodes do. Otherwise the loss of the focus would commit an edit.
    if (current !== null) this.#page.end(current);
    this.#page.discard(old);
    this.#become(next, old);
  }

  get inherited(): Inherited | null {
    return this.#inherits ? inheritedFrom(this.#placeholder) : null;
  }

  exchange(_: Instance, by: Instance): void {
    const old = this.roots;
    swap(old, by.roots);
    this.#become(by, old);
  }

  /** reinherit is called when the placeholder has changed. */
  reinherit(): void {
    if (this.#instance === null) return;
    reinherit(this.#given, this.inherited, this.#instance.roots);
    this.#given = this.inherited;
  }

  /** dispose ends the instance. The caller removes its nodes. */
  dispose(): void {
    if (this.#instance !== null) this.#page.end(this.#instance);
    this.#instance = null;
  }

  #become(next: Instance | null, old: readonly ChildNode[]): void {
    if (this.#instance !== null) this.#instance.rootsChanged = undefined;
    this.#instance = next;
    this.#given = this.inherited;
    if (next !== null) {
      next.parent = this.#owner;
      next.holder = this;
      next.rootsChanged = this.#changed;
    }
    this.#owner?.replaced(old, this.roots);
    this.#changed?.();
  }
}

/** insert puts nodes before one in the document. */
function insert(before: ChildNode, nodes: readonly ChildNode[]): void {
  const parent = before.parentNode;
  if (parent !== null) for (const node of nodes) move(parent, node, before);
}

/** move moves a node, with its state (focus, scrolling, frames, animations) if the browser supports it. */
export function move(parent: ParentNode & Node, node: ChildNode, before: ChildNode | null): void {
  const active = node.contains(focused()) ? focused() : null;
  const text = active === null ? undefined : textIn(active);
  if (node.isConnected && parent.isConnected && typeof parent.moveBefore === "function") {
    // Browsers move a selection along in text fields only. To set it takes the focus from others.
    const free = active === null ? (focused() ?? document.body) === document.body : (active as HTMLElement).isContentEditable;
    const selection = free ? getSelection() : null;
    const { anchorNode = null, anchorOffset = 0, focusNode = null, focusOffset = 0 } = selection ?? {};
    parent.moveBefore(node, before);
    if (node.contains(anchorNode) && node.contains(focusNode)) {
      selection?.setBaseAndExtent(anchorNode as Node, anchorOffset, focusNode as Node, focusOffset);
    }
    return;
  }
  const [start, end, direction] = [text?.selectionStart ?? null, text?.selectionEnd ?? null, text?.selectionDirection ?? undefined];
  parent.insertBefore(node, before);
  if (active instanceof HTMLElement && focused() !== active) moveFocus(active);
  if (start !== null && end !== null) text?.setSelectionRange(start, end, direction);
}

/** swap replaces nodes in the document. Nodes outside of a parent are only removed. */
export function swap(old: readonly ChildNode[], next: readonly ChildNode[]): void {
  insert(old[0] as ChildNode, next);
  for (const node of old) node.remove();
}
