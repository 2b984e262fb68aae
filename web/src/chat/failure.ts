// What a view displays instead of an app or a terminal when its call has failed.

import { make } from "../elements";

export function failure(what: string, why: string): HTMLElement {
  const element = make("div", "ui-chat-failure");
  element.setAttribute("role", "alert");
  element.append(make("strong", "", what));
  if (why !== "") element.append(make("pre", "", why));
  return element;
}
