// Loads components of the Shoelace library when their tags first appear in the document.

/** ComponentLibrary is where components come from. */
export interface ComponentLibrary {
  /** theme applies the theme. It is called once, before the first component is loaded. */
  theme(): Promise<void>;
  /** load defines the component of a tag. */
  load(tag: string): Promise<void>;
}

/** From this many added elements on, scanning the whole document is cheaper than scanning each. */
const MANY = 50;

/** Components that appear on demand: they take no space until they are defined. */
const HIDDEN = new Set(["sl-alert", "sl-dialog", "sl-drawer", "sl-menu", "sl-option", "sl-tooltip"]);

/** Components loads the components that the document uses. */
export class Components {
  readonly #library: ComponentLibrary;
  readonly #defined: () => void;
  readonly #report: (where: string, error: unknown) => void;
  readonly #asked = new Set<string>();
  readonly #sheet = new CSSStyleSheet();
  #theme: Promise<void> | undefined;

  /** defined is called when components have been defined and have rendered. */
  constructor(library: ComponentLibrary, defined: () => void, report: (where: string, error: unknown) => void) {
    this.#library = library;
    this.#defined = defined;
    this.#report = report;
  }

  /** watch loads the components in the document, and those added later until signal is aborted. */
  watch(document: Document, signal: AbortSignal): void {
    document.adoptedStyleSheets.push(this.#sheet);
    steady();
    this.#load([document]);
    const observer = new MutationObserver((records) => {
      const added: Element[] = [];
      for (const { addedNodes } of records) {
        for (const node of addedNodes) if (node instanceof Element) added.push(node);
        if (added.length > MANY) break;
      }
      this.#load(added.length > MANY ? [document] : added);
    });
    observer.observe(document, { childList: true, subtree: true });
    signal.addEventListener("abort", () => {
      observer.disconnect();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    });
  }

  #load(within: readonly (Element | Document)[]): void {
    const tags = new Set<string>();
    const see = ({ localName: tag }: Element): void => {
      if (tag.startsWith("sl-") && !this.#asked.has(tag)) tags.add(tag);
    };
    for (const node of within) {
      if (node instanceof Element && node.matches(":not(:defined)")) see(node);
      node.querySelectorAll(":not(:defined)").forEach(see);
    }
    if (tags.size > 0) void this.#import([...tags]);
  }

  async #import(tags: readonly string[]): Promise<void> {
    for (const tag of tags) {
      this.#asked.add(tag);
      const look = HIDDEN.has(tag) ? "display: none" : "visibility: hidden";
      this.#sheet.insertRule(`${undefinedTag(tag)} { ${look} }`);
    }
    this.#theme ??= this.#library.theme();
    // In parallel; the theme is loaded before a component first paints.
    const modules = Promise.all(tags.map((tag) => this.#component(tag)));
    await this.#theme;
    await modules;
    // A component may still be rendering, and inspects its slots in a task of its own.
    setTimeout(this.#defined);
  }

  async #component(tag: string): Promise<void> {
    try {
      await this.#library.load(tag);
    } catch (error) {
      this.#report(`component ${tag}`, error);
      this.#reveal(tag);
    }
  }

  /** reveal shows the content of elements whose component cannot be loaded. */
  #reveal(tag: string): void {
    const rules = [...this.#sheet.cssRules];
    const at = rules.findIndex((r) => r instanceof CSSStyleRule && r.selectorText === undefinedTag(tag));
    if (at >= 0) this.#sheet.deleteRule(at);
  }
}

/** undefinedTag selects what is hidden until it is defined: what has the focus would lose it. */
function undefinedTag(tag: string): string {
  return `${tag}:not(:defined):not(:focus-within)`;
}

/** steady has components that are defined from now on bear what a page does with elements. */
function steady(): void {
  const define = CustomElementRegistry.prototype.define;
  customElements.define = (name, component, options) => {
    const proto = component.prototype as HTMLElement & Reactions;
    if (name.startsWith("sl-")) {
      // What moves stays as it is: without this callback, it would be removed and added again.
      proto.connectedMoveCallback ??= () => undefined;
      // What is removed before it has been drawn has nothing to end, though some try and throw.
      const removed = proto.disconnectedCallback;
      proto.disconnectedCallback = function () {
        if (this.hasUpdated !== false) removed?.call(this);
      };
    }
    define.call(customElements, name, component, options);
  };
}

/** Reactions are what browsers and the library call or set in components. */
interface Reactions {
  connectedMoveCallback?: () => void;
  disconnectedCallback?: () => void;
  readonly hasUpdated?: boolean;
}
