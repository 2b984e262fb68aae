// The element <ui-popup> of a page of an app: the frame with the questions. The frame has an origin
// of its own, so neither this script nor the app's can see or press anything in it. The page
// decides only how much room it gets, and when.

import { make } from "../../elements";
import { closeModal, stayOnTop } from "../../focus";
import { fromFrame, type FromFrame, type FromPage, type Mode } from "../link";
import { Notices } from "../notices";
import { Title } from "../title";
import { Busy } from "./busy";

const STYLE = `
:host { all: initial; }
div, dialog { position: fixed; margin: 0; padding: 0; border: 0; background: none; overflow: hidden; outline: none; }
div { inset: 0 auto auto 0; inline-size: 0; block-size: 0; overflow: visible; z-index: 2147483647; }
dialog { inset: auto 0 0 auto; max-inline-size: 100vw; max-block-size: 100vh; }
dialog:modal { inset: 0; inline-size: 100%; block-size: 100%; max-inline-size: none; max-block-size: none; }
dialog::backdrop { background: none; }
iframe { display: block; inline-size: 100%; block-size: 100%; border: 0; }
`;

const ANSWER = 3000; // milliseconds after which a document that was loaded must have sent a message
const LONGEST = 30_000; // milliseconds between two attempts to load it

/** QuestionFrame gives the frame the room that it wants, when the person is not busy. */
export class QuestionFrame extends HTMLElement {
  readonly #origin: string;
  // The layer is above the app while anything is displayed. Opening it moves no focus, as opening a
  // dialog would. The frame is never moved to another parent, which would load it again.
  readonly #frame = make("iframe", { title: "Questions", allow: "autoplay" });
  readonly #dialog = make("dialog", { "aria-label": "Questions" }, this.#frame);
  readonly #layer = make("div", { popover: "manual" }, this.#dialog);
  readonly #title = new Title();
  readonly #notices = new Notices();
  readonly #busy = new Busy(() => this.#update());
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  #wanted: FromFrame | undefined;
  #mode: Mode = "none";
  /** returnsTo is what in the page had the focus last, and gets it back. Scripts of the page may replace it. */
  returnsTo: Element | null = document.activeElement;
  #sent = "";
  #retry: ReturnType<typeof setTimeout> | undefined;
  #patience = ANSWER;

  constructor(origin: string) {
    super();
    this.#origin = origin;
    this.#frame.src = `${origin}/popup`;
    this.#frame.addEventListener("load", () => {
      this.#sent = ""; // a document that knows nothing yet
      this.#watch();
    });
    this.#dialog.addEventListener("cancel", (event) => event.preventDefault()); // the frame decides
    // Browsers have ways to close a dialog that cannot be prevented.
    this.#dialog.addEventListener("close", () => this.#update());
    this.attachShadow({ mode: "open" }).append(make("style", {}, STYLE), this.#layer);
    window.addEventListener("message", (event) => {
      if (event.source !== this.#frame.contentWindow || event.origin !== origin) return;
      try {
        this.#received(fromFrame(event.data));
      } catch (error) {
        console.error("message of the questions:", error);
      }
    });
    for (const type of ["focus", "blur"] as const) window.addEventListener(type, () => this.#post());
    document.addEventListener("focusin", ({ target }) => {
      if (target !== this && target instanceof Element) this.returnsTo = target;
    });
    stayOnTop(this.#dialog, this, (focused) => {
      this.returnsTo = focused;
      this.#frame.focus();
    });
    this.#scheme.addEventListener("change", () => this.#update());
  }

  /**
   * watch loads the document again if it sends no message: it may be the browser's own, which says
   * that the server cannot be reached.
   */
  #watch(): void {
    if (this.#wanted !== undefined) return; // the document connects again by itself
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => (this.#frame.src = `${this.#origin}/popup`), this.#patience);
    this.#patience = Math.min(2 * this.#patience, LONGEST);
  }

  #received(wanted: FromFrame): void {
    clearTimeout(this.#retry);
    if (this.#wanted === undefined) this.dataset["ready"] = "true";
    const before = this.#wanted;
    this.#wanted = wanted;
    this.#title.count(wanted.waiting);
    if (wanted.waiting === 0) this.#notices.clear();
    else if (wanted.called > (before?.called ?? 0)) this.#notices.show();
    if (wanted.notify) void this.#notices.ask().finally(() => this.#post(true));
    this.#update();
  }

  /** update grants what the frame wants, or the corner while the person is busy. */
  #update(): void {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    this.#apply(this.#busy.grant(wanted.mode, wanted.asked, this.#mode), wanted);
    this.#post();
  }

  #apply(mode: Mode, wanted: FromFrame): void {
    this.#frame.style.colorScheme = this.#dialog.style.colorScheme = this.#isDark() ? "dark" : "light";
    const { style } = this.#dialog;
    style.width = mode === "corner" ? `${wanted.width || 384}px` : "";
    style.height = mode === "corner" ? `${wanted.height || 96}px` : "";
    this.dataset["state"] = this.#mode = mode;
    const had = document.activeElement === this;
    const modal = this.#dialog.matches(":modal");
    if (modal && mode !== "dialog") closeModal(this.#dialog, this.returnsTo);
    this.#layer.togglePopover(mode !== "none");
    if (mode === "dialog" && !modal) {
      this.#dialog.open = false;
      if (!had) this.returnsTo = document.activeElement;
      this.#dialog.showModal();
      this.#frame.focus();
    } else if (mode !== "dialog") {
      this.#dialog.open = mode === "corner";
    }
    if (mode === "corner" && wanted.focus) this.#frame.focus();
    if (had && mode === "none" && this.returnsTo instanceof HTMLElement) this.returnsTo.focus();
  }

  #isDark(): boolean {
    const schemes = getComputedStyle(document.documentElement).colorScheme.split(" ");
    return schemes.includes("dark") && (!schemes.includes("light") || this.#scheme.matches);
  }

  #post(always = false): void {
    if (this.#wanted === undefined) return; // the frame is not there yet
    const message: FromPage = {
      type: "ui-question", mode: this.#mode, dark: this.#isDark(), focused: document.hasFocus(), canNotify: this.#notices.canAsk,
    };
    const text = JSON.stringify(message);
    if (text === this.#sent && !always) return;
    this.#sent = text;
    this.#frame.contentWindow?.postMessage(text, this.#origin);
  }
}
