// What a view displays instead of an app or a terminal when its call has failed.

import { make } from "../elements";

export function failure(what: string, why: string): HTMLElement {
  return make("div", { class: "ui-chat-failure", role: "alert" }, make("strong", "", what), why && make("pre", "", why));
}
