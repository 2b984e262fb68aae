// A place in which one instance is shown, or the placeholder.

import type { Mount } from "../wire";
import { dressOf } from "./dress";
import type { Instance, Stage } from "./instance";

/** Region swaps instances at one place of the document. */
export class Region {
  readonly #stage: Stage;
  readonly #owner: Instance | null;
  readonly #placeholder: Element;
  readonly #inherits: boolean;
  readonly #changed: (() => void) | undefined;
  #shown: Instance | null = null;

  /**
   * placeholder stands where the region is, while nothing is shown. With
   * inherits, instances take over its id, classes and styles. changed is
   * called whenever other nodes stand there.
   */
  constructor(stage: Stage, owner: Instance | null, placeholder: Element, inherits: boolean, changed?: () => void) {
    this.#stage = stage;
    this.#owner = owner;
    this.#placeholder = placeholder;
    this.#inherits = inherits;
    this.#changed = changed;
  }

  /** roots are the nodes that stand there now. */
  get roots(): readonly ChildNode[] {
    return this.#shown === null ? [this.#placeholder] : this.#shown.roots;
  }

  /** shown is the instance that stands there; null: the placeholder. */
  get shown(): Instance | null {
    return this.#shown;
  }

  /** show shows another instance, or nothing. One that is shown already keeps its DOM and takes the values. */
  show(mount: Mount | null): void {
    const shown = this.#shown;
    if (mount === null && shown === null) return;
    if (mount !== null && shown !== null && this.#stage.current(shown, mount)) {
      update(this.#stage, shown, mount);
      return;
    }
    const old = this.roots;
    const dress = this.#inherits ? dressOf(this.#placeholder) : null;
    this.#shown = mount === null ? null : this.#stage.mount(mount, this.#owner, dress);
    // The old one goes before its nodes do, listeners and all, so that its
    // controls do not report the loss of the focus as the person's doing.
    if (shown !== null) {
      if (this.#shown !== null) this.#stage.succeed(shown, this.#shown);
      shown.rootsChanged = undefined;
      this.#stage.unmount(shown);
    }
    swap(old, this.roots);
    this.#owner?.replaced(old, this.roots);
    if (this.#shown !== null && this.#changed) this.#shown.rootsChanged = this.#changed;
    this.#changed?.();
  }

  /** dispose forgets what is shown; its nodes stay for the caller to remove. */
  dispose(): void {
    if (this.#shown !== null) this.#stage.unmount(this.#shown);
    this.#shown = null;
  }
}

/** update gives a live instance the values of a mount of the same instance. */
export function update(stage: Stage, instance: Instance, [, , values]: Mount): void {
  for (const { slot } of instance.template.order) instance.set(stage, slot, values[slot]);
}

/** swap puts nodes where others stand. What stands nowhere yet is put in place by whoever places its roots. */
export function swap(old: readonly ChildNode[], next: readonly ChildNode[]): void {
  const first = old[0] as ChildNode;
  const parent = first.parentNode;
  if (parent !== null) for (const node of next) parent.insertBefore(node, first);
  for (const node of old) node.remove();
}
