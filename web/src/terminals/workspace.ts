// Which sessions the page displays, how their panes share it, and which one is selected. The
// address of the page has all of it; the browser's storage keeps it for the next visit.

import { store, stored } from "../storage";
import { BASE } from "./api";
import { close, has, type Direction, type Layout, neighbour, parse, type Path, print, rename, replace, resize, sessions, type Side, split } from "./data/layout";
import { printRoute, readRoute } from "./data/route";

const STORED = "wsh-panes";

/** Workspace is the layout of the panes and the selection. It draws nothing. */
export class Workspace {
  #layout: Layout | undefined;
  #selected: string | undefined;

  /** layout returns the layout, or undefined while no session is displayed. */
  get layout(): Layout | undefined {
    return this.#layout;
  }

  /** selected returns the session whose pane has the keys. */
  get selected(): string | undefined {
    return this.#selected;
  }

  /** sessions returns the sessions that have panes, in reading order. */
  get sessions(): string[] {
    return sessions(this.#layout);
  }

  /** isSplit is whether there are several panes. */
  get isSplit(): boolean {
    return typeof this.#layout === "object";
  }

  has(session: string): boolean {
    return has(this.#layout, session);
  }

  /** navigate takes the layout and the selection from the address. */
  navigate(): void {
    const { session, layout } = readRoute(location.href, BASE);
    this.#layout = layout;
    this.#selected = session;
  }

  /** restore opens the panes of the last visit whose sessions exist, unless some are open. */
  restore(exists: (session: string) => boolean): void {
    if (this.#layout !== undefined) return;
    let layout = parse(stored("localStorage", STORED) ?? "");
    for (const name of sessions(layout)) if (!exists(name)) layout = close(layout, name);
    if (layout !== undefined) this.#arrange(layout);
  }

  /** forget closes all panes. The address keeps them, for the next call of navigate. */
  forget(): void {
    this.#layout = undefined;
  }

  /** open selects a session: in its pane if it has one, else in the place of the selected one. */
  open(session: string): void {
    if (this.#layout === undefined || this.#selected === undefined) this.#layout = session;
    else if (!has(this.#layout, session)) this.#layout = replace(this.#layout, this.#selected, session);
    this.#selected = session;
    this.#record(true);
  }

  /** select selects a session that has a pane, and reports whether that changed anything. */
  select(session: string): boolean {
    if (session === this.#selected || !this.has(session)) return false;
    this.#selected = session;
    this.#record(false);
    return true;
  }

  /** only closes all panes but the selected one. */
  only(): void {
    this.#arrange(this.#selected);
  }

  /** resize gives the first part of the split at a path its share, in percent. */
  resize(path: Path, share: number): void {
    this.#arrange(resize(this.#layout, path, share));
  }

  /** split gives half of a session's pane to another session, and selects that one. */
  split(session: string, direction: Direction, other: string): void {
    if (this.#layout === undefined) return;
    this.#layout = split(this.#layout, session, direction, other);
    this.#selected = other;
    this.#record(true);
  }

  /** close closes the pane of a session. If it was selected, the pane before it is selected. */
  close(session: string): void {
    const next = neighbour(this.#layout, session, "left") ?? neighbour(this.#layout, session, "up");
    const rest = close(this.#layout, session);
    if (this.#selected === session && next !== undefined) this.#selected = next;
    this.#arrange(rest);
  }

  /** neighbour returns the session beside the selected one. */
  neighbour(side: Side): string | undefined {
    return neighbour(this.#layout, this.#selected, side);
  }

  /**
   * rename follows sessions that have other names now: names has the new ones by the old ones. It
   * reports whether any of them has a pane.
   */
  rename(names: ReadonlyMap<string, string>): boolean {
    const layout = this.#layout;
    if (layout === undefined || !sessions(layout).some((name) => names.has(name))) return false;
    this.#layout = rename(layout, names);
    this.#selected = names.get(this.#selected ?? "") ?? this.#selected;
    this.#record(false);
    return true;
  }

  #arrange(layout: Layout | undefined): void {
    this.#layout = layout;
    if (this.#selected === undefined || !has(layout, this.#selected)) this.#selected = sessions(layout)[0];
    this.#record(false);
  }

  /** #record puts what is displayed into the address, as another entry of the browser's history or not. */
  #record(entry: boolean): void {
    const url = new URL(printRoute(this.#selected, this.#layout), BASE).href;
    if (url !== location.href) {
      if (entry) history.pushState(null, "", url);
      else history.replaceState(null, "", url);
    }
    store("localStorage", STORED, this.#layout && print(this.#layout)); // the address has it in any case
  }
}
