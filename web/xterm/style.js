// An element <xterm-style> has the effect of <style> in its document or shadow root, also where the
// page's Content-Security-Policy forbids inline styles.

class XtermStyle extends HTMLElement {
  #sheet = new CSSStyleSheet();
  #root;

  set textContent(text) {
    this.#sheet.replaceSync(text);
  }

  connectedCallback() {
    this.#root = this.getRootNode();
    this.#root.adoptedStyleSheets.push(this.#sheet);
  }

  disconnectedCallback() {
    const root = this.#root;
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }
}

if (customElements.get("xterm-style") === undefined) customElements.define("xterm-style", XtermStyle);
