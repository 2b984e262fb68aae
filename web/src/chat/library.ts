// The component library in the document of a view, which has no network: a script that runs when
// the first component is needed, both themes, and icons from the server.

import type { ComponentLibrary } from "../dom/components";
import { run } from "./packed";

/** The part of Shoelace's <sl-icon> that finds icons. */
interface Icon {
  library: string;
  name?: string;
  getIconSource(): { url: string | undefined; fromLibrary: boolean };
}

const ICON = "ui-icon:";

/** InlineLibrary is the library in the script with the id ui-components. */
export class InlineLibrary implements ComponentLibrary {
  readonly #icon: (name: string) => Promise<string>;
  #loaded: Promise<void> | undefined;

  /** icon returns an icon as SVG, or "" if the name is unknown. */
  constructor(icon: (name: string) => Promise<string>) {
    this.#icon = icon;
  }

  /** theme does nothing: the document has both themes, and its root the class of one. */
  theme(): Promise<void> {
    return Promise.resolve();
  }

  load(): Promise<void> {
    return (this.#loaded ??= this.#load());
  }

  async #load(): Promise<void> {
    this.#serveIcons();
    await run("ui-components", () => this.#ownIcons());
  }

  /** ownIcons loads icons from the server. The first icons ask for theirs at once. */
  #ownIcons(): void {
    const icon = customElements.get("sl-icon")?.prototype as Icon | undefined;
    if (icon === undefined) throw new Error("the component library does not run here");
    const original = icon.getIconSource;
    icon.getIconSource = function (this: Icon) {
      if (this.library === "default" && this.name) return { url: ICON + this.name, fromLibrary: false };
      return original.call(this);
    };
  }

  /** serveIcons answers the requests of <sl-icon>, without a network. */
  #serveIcons(): void {
    const network = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
      if (url.startsWith(ICON)) return svg(await this.#icon(url.slice(ICON.length)));
      if (url.startsWith("data:image/svg+xml")) return svg(fromDataURL(url));
      return network(input, init);
    };
  }
}

function svg(text: string): Response {
  return new Response(text, { status: text === "" ? 404 : 200, headers: { "Content-Type": "image/svg+xml" } });
}

/** fromDataURL returns the content of a data URL with text. */
function fromDataURL(url: string): string {
  const comma = url.indexOf(",");
  const content = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(";base64") ? atob(content) : decodeURIComponent(content);
}
