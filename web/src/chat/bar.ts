// The bar above the content of a view: buttons for the person, and notes.

/** BarEvents are the callbacks of a Bar. */
export interface BarEvents {
  /** open opens the page in the browser. It reports whether the host did. */
  open(url: string): Promise<boolean>;
  fullscreen(): void;
  /** zoom switches between a terminal's whole screen and text of a readable size. */
  zoom(): void;
  /** type asks whether this frame may type. */
  type(): void;
  retry(): void;
}

/** Bar has the buttons and the notes. */
export class Bar {
  readonly element = document.createElement("div");
  readonly #note = document.createElement("p");
  readonly #open: HTMLButtonElement;
  readonly #fullscreen: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly #type: HTMLButtonElement;
  readonly #zoom: HTMLButtonElement;
  readonly #address = document.createElement("input");
  #url = "";

  constructor(events: BarEvents) {
    this.element.className = "ui-chat-bar";
    this.#note.setAttribute("role", "status");
    this.#retry = button("Try again", events.retry);
    this.#type = button("Type here", events.type);
    this.#zoom = button("Larger text", events.zoom);
    this.#fullscreen = button("Full screen", events.fullscreen);
    this.#open = button("Open in browser", () => {
      void events.open(this.#url).then((opened) => {
        this.#address.hidden = opened;
        if (!opened) this.#address.select();
      });
    });
    this.#address.readOnly = true;
    this.#address.hidden = true;
    this.#address.setAttribute("aria-label", "Address for your browser");
    this.#open.hidden = this.#fullscreen.hidden = this.#retry.hidden = this.#type.hidden = this.#zoom.hidden = true;
    this.element.append(this.#note, this.#retry, this.#type, this.#zoom, this.#fullscreen, this.#open, this.#address);
  }

  /** address sets the URL of the page in the browser, or "" if no page is served. */
  address(url: string): void {
    this.#url = this.#address.value = url;
    this.#open.hidden = url === "";
    if (url === "") this.#address.hidden = true;
  }

  /** reveal shows the address as text, for hosts that open nothing. */
  reveal(): void {
    this.#address.hidden = this.#url === "";
  }

  /** modes sets whether the view can switch to the size of the window, or back. */
  modes(canChange: boolean, full: boolean): void {
    this.#fullscreen.hidden = !canChange;
    this.#fullscreen.textContent = full ? "Back to the chat" : "Full screen";
  }

  /** typing sets whether the person may ask to type. */
  typing(offered: boolean): void {
    this.#type.hidden = !offered;
  }

  /** zooming sets whether a terminal's text can have another size, and whether its whole screen is displayed. */
  zooming(offered: boolean, whole: boolean): void {
    this.#zoom.hidden = !offered;
    this.#zoom.textContent = whole ? "Larger text" : "Whole screen";
  }

  /** say displays a note; "" removes it. retry offers another attempt. */
  say(text: string, retry = false): void {
    this.#note.textContent = text;
    this.#retry.hidden = !retry;
  }
}

function button(label: string, click: () => void): HTMLButtonElement {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = label;
  b.addEventListener("click", click);
  return b;
}
