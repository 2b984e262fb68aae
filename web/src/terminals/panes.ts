// The panes: their positions, the selected one, and the borders between them. Panes are positioned
// in percent and never move in the document, so that terminals survive changes of the layout.

import type { App } from "./app";
import { areas, type Border, type Layout } from "./data/layout";
import { h, on } from "./html";
import { SessionPane } from "./sessionpane";

const STEP = 4; // percent by which a key moves a border

/** Panes lay out panes. */
export class Panes {
  readonly element = h("div", { class: "panes" });
  readonly #page: App;
  readonly #panes = new Map<string, SessionPane>();
  #borders: HTMLElement[] = [];
  readonly #grips = new WeakMap<HTMLElement, Border>();
  #drawn = "";

  constructor(page: App) {
    this.#page = page;
  }

  /** pane returns the pane of a session, if it has one. */
  pane(session: string | undefined): SessionPane | undefined {
    return session === undefined ? undefined : this.#panes.get(session);
  }

  /**
   * rename keeps the panes of sessions that have other names now: names has the new ones by the old
   * ones. A pane of a session that had such a name before is closed.
   */
  rename(names: ReadonlyMap<string, string>): void {
    const before = [...this.#panes];
    this.#panes.clear();
    for (const [name, pane] of before) if (!names.has(name)) this.#panes.set(name, pane);
    for (const [from, pane] of before) {
      const name = names.get(from);
      if (name === undefined) continue;
      const other = this.#panes.get(name);
      other?.view.dispose();
      other?.element.remove();
      this.#panes.set(name, pane);
    }
  }

  /** draw displays a layout; undefined closes all panes. */
  draw(layout: Layout | undefined, selected: string | undefined): void {
    const { boxes, borders } = areas(layout);
    const wanted = new Set(boxes.map(({ session }) => session));
    for (const [session, pane] of this.#panes) {
      if (wanted.has(session)) continue;
      this.#panes.delete(session);
      pane.view.dispose();
      pane.element.remove();
    }
    for (const { session, x, y, width, height } of boxes) {
      let pane = this.#panes.get(session);
      if (pane === undefined) {
        pane = new SessionPane(session, this.#page);
        this.#panes.set(session, pane);
        // Names change, panes stay: ask which session it is now.
        const of = pane;
        on(pane.element, "focusin", () => {
          for (const [name, other] of this.#panes) if (other === of) this.#page.select(name);
        });
        this.element.append(pane.element);
      }
      Object.assign(pane.element.style, { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` });
      pane.select(session === selected, boxes.length === 1);
    }
    this.element.classList.toggle("several", boxes.length > 1);
    this.#drawBorders(borders);
  }

  #drawBorders(borders: readonly Border[]): void {
    const shape = JSON.stringify(borders.map(({ path, direction }) => [path, direction]));
    if (shape !== this.#drawn) {
      this.#drawn = shape;
      for (const border of this.#borders) border.remove();
      this.#borders = borders.map((border) => this.#border(border.direction));
      this.element.append(...this.#borders);
    }
    borders.forEach((border, i) => {
      const element = this.#borders[i] as HTMLElement;
      const { direction, share, x, y, width, height } = border;
      Object.assign(
        element.style,
        direction === "h" ? { left: `${x + (width * share) / 100}%`, top: `${y}%`, height: `${height}%`, width: "" } : { left: `${x}%`, top: `${y + (height * share) / 100}%`, width: `${width}%`, height: "" },
      );
      element.setAttribute("aria-valuenow", String(share));
      this.#grips.set(element, border);
    });
  }

  /** #border returns the line between the parts of a split, which a pointer and keys move. */
  #border(direction: "h" | "v"): HTMLElement {
    const across = direction === "h";
    const line = h("div", {
      class: `border ${direction}`, role: "separator", tabindex: "0", "aria-orientation": across ? "vertical" : "horizontal", "aria-valuemin": "10", "aria-valuemax": "90",
      "aria-label": across ? "Width of the panes" : "Height of the panes",
    });
    const border = (): Border => this.#grips.get(line) as Border;
    const move = (share: number): void => this.#page.resize(border().path, share);
    on(line, "pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      line.setPointerCapture(event.pointerId);
    });
    on(line, "pointermove", ({ pointerId, clientX, clientY }) => {
      if (!line.hasPointerCapture(pointerId)) return;
      const whole = this.element.getBoundingClientRect();
      const { x, y, width, height } = border();
      move(across ? ((((clientX - whole.left) / whole.width) * 100 - x) / width) * 100 : ((((clientY - whole.top) / whole.height) * 100 - y) / height) * 100);
    });
    on(line, "keydown", (event) => {
      const { share } = border();
      const to = { [across ? "ArrowLeft" : "ArrowUp"]: share - STEP, [across ? "ArrowRight" : "ArrowDown"]: share + STEP, Home: 10, End: 90, Enter: 50 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      move(to);
    });
    return on(line, "dblclick", () => move(50));
  }
}
