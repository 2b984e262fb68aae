// The session's problems, as a small badge that opens into a list.

import { adopt, button, keep, make, setText } from "../elements";
import type { Problem } from "../wire";
import { STYLE } from "./problems.style";

/** Locate returns the element of a binding; undefined when it is not on the page. */
export type Locate = (at: readonly [instance: number, slot: number]) => Element | undefined;

/** ProblemsBadge shows the session's problems. It is hidden while there are none. */
export class ProblemsBadge {
  readonly #locate: Locate;
  readonly #host = make("div", { class: "ui-problems", role: "region", "aria-label": "Problems", hidden: true });
  readonly #badge = button("badge", "", () => this.#open());
  readonly #heading = make("h2", { id: "heading" });
  readonly #list = make("ol");
  readonly #panel = make("section", { class: "panel", role: "dialog", "aria-labelledby": "heading", hidden: true });
  readonly #outline = make("div", "outline");
  readonly #entries = new Map<number, Entry>();
  #count = 0; // of the problems
  #pointed: Problem | undefined; // its element is outlined
  #before: Element | null = null; // had the focus before the list was opened
  readonly #disposed = new AbortController();

  constructor(locate: Locate) {
    this.#locate = locate;
    this.#badge.setAttribute("aria-expanded", "false");
    const close = button("close", "×", () => this.#close());
    close.ariaLabel = "Close";
    this.#panel.append(make("header", {}, this.#heading, close), this.#list);
    const root = this.#host.attachShadow({ mode: "open" });
    adopt(root, STYLE);
    root.append(this.#outline, make("div", { role: "status" }, this.#badge), this.#panel);
    this.#host.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.#panel.hidden) return;
      event.stopPropagation(); // the app must not react
      this.#close();
    });
    this.#point(undefined);
    document.body.append(this.#host);
    const { signal } = this.#disposed;
    window.addEventListener("scroll", () => this.#point(this.#pointed), { capture: true, passive: true, signal });
  }

  /** dispose removes the badge and the list. */
  dispose(): void {
    this.#disposed.abort();
    this.#host.remove();
  }

  /** show replaces the list. Entries that stay keep the focus, and the list keeps its position. */
  show(problems: readonly Problem[]): void {
    const n = (this.#count = problems.length);
    const text = `${n} ${n === 1 ? "problem" : "problems"}`;
    this.#badge.textContent = String(n);
    this.#badge.title = text;
    this.#badge.setAttribute("aria-label", text);
    this.#heading.textContent = text;
    keep(this.#list, this.#entries, problems, ({ id }) => id, () => new Entry((p, scroll) => this.#point(p, scroll)), (entry, problem) => entry.show(problem));
    if (n === 0 && !this.#panel.hidden) this.#close();
    this.#host.hidden = n === 0;
  }

  #open(): void {
    this.#before = document.activeElement === this.#host ? null : document.activeElement;
    this.#badge.hidden = true;
    this.#badge.setAttribute("aria-expanded", "true");
    this.#panel.hidden = false;
    const first = this.#list.firstElementChild;
    if (first instanceof HTMLElement) first.focus();
  }

  #close(): void {
    const had = document.activeElement === this.#host;
    this.#panel.hidden = true;
    this.#badge.hidden = false;
    this.#badge.setAttribute("aria-expanded", "false");
    this.#point(undefined);
    if (!had) return;
    if (this.#count > 0) this.#badge.focus();
    else if (this.#before instanceof HTMLElement && this.#before.isConnected) this.#before.focus();
  }

  /** point outlines the element of a problem, and with scroll brings it into view. */
  #point(problem: Problem | undefined, scroll = false): void {
    this.#pointed = problem;
    const element = problem?.at && this.#locate(problem.at);
    this.#outline.hidden = element === undefined;
    if (element === undefined) return;
    if (scroll) element.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = element.getBoundingClientRect();
    Object.assign(this.#outline.style, { left: `${left - 4}px`, top: `${top - 4}px`, width: `${width + 8}px`, height: `${height + 8}px` });
  }
}

/** Entry is one problem in the list. */
class Entry {
  readonly #message = make("p", "message");
  readonly #location = make("span", "location");
  readonly #source = make("code", "source");
  readonly element = make("li", { tabindex: "0" }, this.#message, this.#source, this.#location);
  #problem: Problem | undefined;

  /** point is called with the problem under the pointer or focus, or undefined. */
  constructor(point: (problem: Problem | undefined, scroll?: boolean) => void) {
    this.element.addEventListener("pointerenter", () => point(this.#problem));
    this.element.addEventListener("pointerleave", () => point(undefined));
    this.element.addEventListener("focus", () => point(this.#problem, true));
    this.element.addEventListener("blur", () => point(undefined));
  }

  show(problem: Problem): void {
    this.#problem = problem;
    put(this.#message, messageOf(problem));
    put(this.#source, problem.source);
    put(this.#location, locationOf(problem));
  }
}

/** messageOf returns the message without the location of the problem, which is displayed below it. */
function messageOf(problem: Problem): string {
  const prefix = `${locationOf(problem) ?? ""}: `;
  return problem.message.startsWith(prefix) ? problem.message.slice(prefix.length) : problem.message;
}

function locationOf({ file, line }: Problem): string | undefined {
  return file !== undefined && line !== undefined ? `${file}:${line}` : file;
}

function put(element: HTMLElement, text = ""): void {
  element.hidden = text === "";
  setText(element, text);
}
