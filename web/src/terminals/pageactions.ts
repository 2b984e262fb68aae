// The actions that do not depend on one session: their titles, their keys, and when they are
// possible. What they do is the page's work.

import { type Action, keysOf } from "./actions";
import type { Direction, Side } from "./data/layout";
import { openDialog } from "./dialogs";
import { h } from "./html";

/** Titles of actions that other parts of the page refer to. */
export const CREATE = "New terminal…";
export const ALL_ACTIONS = "All actions…";
export const FIND_ANYTHING = "Find an action or a session";

/** Page is what the actions work on. */
export interface Page {
  /** hasSelection is whether a pane is selected; isSplit is whether there are several. */
  hasSelection(): boolean;
  isSplit(): boolean;
  mayManage(): boolean;
  mayAdminister(): boolean;
  hasToken(): boolean;
  /** anyCalls is whether a session needs the person. */
  anyCalls(): boolean;

  palette(): void;
  nextCall(): void;
  create(): void;
  goToSession(): void;
  /** step opens the next or previous session of the list. */
  step(by: 1 | -1): void;
  leave(): void;
  search(): void;
  split(direction: Direction): void;
  closePane(): void;
  closeOthers(): void;
  /** go selects the pane on a side of the selected one. */
  go(side: Side): void;
  grow(direction: Direction, percent: number): void;
  /** enlarge adds CSS pixels to the size of the text. */
  enlarge(by: number): void;
  recordings(): void;
  share(): void;
  settings(): void;
  forgetToken(): void;
}

/** pageActions returns the actions of a page, in the order of the palette. */
export function pageActions(page: Page): readonly Action[] {
  const selected = (): boolean => page.hasSelection();
  const several = (): boolean => page.isSplit();
  const actions: readonly Action[] = [
    { title: ALL_ACTIONS, keys: ["Ctrl+Shift+P", "Alt+Shift+P"], run: () => page.palette() },
    { title: FIND_ANYTHING, keys: ["Ctrl+K"], outside: true, run: () => page.palette() },
    { title: "Next session that needs you", keys: ["Alt+Shift+A"], when: () => page.anyCalls(), run: () => page.nextCall() },
    { title: CREATE, keys: ["Alt+Shift+N"], when: () => page.mayManage(), run: () => page.create() },
    { title: "Go to a session…", keys: ["Alt+Shift+O"], run: () => page.goToSession() },
    { title: "Next session", keys: ["Alt+Shift+PageDown"], run: () => page.step(1) },
    { title: "Previous session", keys: ["Alt+Shift+PageUp"], run: () => page.step(-1) },
    { title: "Leave the terminal", note: "to the list", keys: ["Ctrl+Shift+M", "Alt+Shift+L"], when: selected, run: () => page.leave() },
    { title: "Search sessions", keys: ["Alt+Shift+S"], run: () => page.search() },
    { title: "Split right…", keys: ["Alt+Shift+D"], when: selected, run: () => page.split("h") },
    { title: "Split down…", keys: ["Alt+Shift+E"], when: selected, run: () => page.split("v") },
    { title: "Close pane", note: "the session stays", keys: ["Alt+Shift+W"], when: selected, run: () => page.closePane() },
    { title: "Only this pane", keys: ["Alt+Shift+Z"], when: several, run: () => page.closeOthers() },
    { title: "Pane to the left", keys: ["Alt+Shift+ArrowLeft"], when: several, run: () => page.go("left") },
    { title: "Pane to the right", keys: ["Alt+Shift+ArrowRight"], when: several, run: () => page.go("right") },
    { title: "Pane above", keys: ["Alt+Shift+ArrowUp"], when: several, run: () => page.go("up") },
    { title: "Pane below", keys: ["Alt+Shift+ArrowDown"], when: several, run: () => page.go("down") },
    { title: "Wider pane", keys: ["Alt+Shift+Period"], when: several, run: () => page.grow("h", 5) },
    { title: "Narrower pane", keys: ["Alt+Shift+Comma"], when: several, run: () => page.grow("h", -5) },
    { title: "Higher pane", keys: ["Ctrl+Alt+Shift+ArrowUp"], when: several, run: () => page.grow("v", 5) },
    { title: "Lower pane", keys: ["Ctrl+Alt+Shift+ArrowDown"], when: several, run: () => page.grow("v", -5) },
    { title: "Larger text", keys: ["Alt+Shift+Equal"], run: () => page.enlarge(1) },
    { title: "Smaller text", keys: ["Alt+Shift+Minus"], run: () => page.enlarge(-1) },
    { title: "Recordings…", run: () => page.recordings() },
    { title: "Links for others…", when: () => page.mayAdminister(), run: () => page.share() },
    { title: "Settings…", run: () => page.settings() },
    { title: "Keys…", run: () => describeKeys(actions) },
    { title: "Forget the token", when: () => page.hasToken(), run: () => page.forgetToken() },
  ];
  return actions;
}

/** describeKeys opens a dialog that lists actions with their first keys. */
function describeKeys(actions: readonly Action[]): void {
  const rows = actions.flatMap((action) => (action.keys ?? []).slice(0, 1).map(() => h("tr", {}, h("th", { scope: "row" }, action.title.replace(/…$/, "")), h("td", {}, h("kbd", {}, keysOf(action) ?? "")))));
  openDialog({ title: "Keys", wide: true, content: [h("p", {}, "All other keys go to the terminal that has the focus."), h("table", { class: "keys" }, h("tbody", {}, ...rows))] });
}
