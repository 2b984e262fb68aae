// A position in the document that holds one instance or a placeholder.

import type { Mount } from "../wire";
import { inheritedFrom } from "./inherited";
import type { Instance, PageContext } from "./instance";

/** Region swaps the instances at one position of the document. */
export class Region {
  readonly #page: PageContext;
  readonly #owner: Instance | null;
  readonly #placeholder: Element;
  readonly #inherits: boolean;
  readonly #changed: (() => void) | undefined;
  #instance: Instance | null = null;

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
    if (mount !== null && current !== null && this.#page.current(current, mount)) {
      update(this.#page, current, mount);
      return;
    }
    const old = this.roots;
    const inherited = this.#inherits ? inheritedFrom(this.#placeholder) : null;
    this.#instance = mount === null ? null : this.#page.mount(mount, this.#owner, inherited);
    // Listeners go before the nodes do. Otherwise the loss of the focus would commit an edit.
    if (current !== null) {
      current.rootsChanged = undefined;
      this.#page.unmount(current);
    }
    swap(old, this.roots);
    this.#owner?.replaced(old, this.roots);
    if (this.#instance !== null && this.#changed) this.#instance.rootsChanged = this.#changed;
    this.#changed?.();
  }

  /** dispose ends the instance. The caller removes its nodes. */
  dispose(): void {
    if (this.#instance !== null) this.#page.unmount(this.#instance);
    this.#instance = null;
  }
}

/** update gives a live instance the values of a mount of the same instance. */
export function update(page: PageContext, instance: Instance, mount: Mount): void {
  page.rename(instance, mount[1]);
  instance.identify(mount);
  const values = mount[2];
  for (const { slot } of instance.template.order) instance.set(page, slot, values[slot]);
}

/** swap replaces nodes in the document. Nodes outside of a parent are only removed. */
export function swap(old: readonly ChildNode[], next: readonly ChildNode[]): void {
  const first = old[0] as ChildNode;
  const parent = first.parentNode;
  if (parent !== null) for (const node of next) parent.insertBefore(node, first);
  for (const node of old) node.remove();
}
