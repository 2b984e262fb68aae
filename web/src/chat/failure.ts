// What a view displays instead of an app or a terminal when its call has failed.

import { make } from "../elements";

/** failure returns an element that says what has failed, and why. */
export function failure(what: string, why: string): HTMLElement {
  const element = make("div", "ui-chat-failure");
  element.setAttribute("role", "alert");
  element.append(make("strong", "", what));
  if (why !== "") element.append(make("pre", "", why));
  return element;
}
