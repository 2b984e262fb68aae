// What a view displays instead of an app or a terminal when its call has failed.

/** failure returns an element that says what has failed, and why. */
export function failure(what: string, why: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "ui-chat-failure";
  element.setAttribute("role", "alert");
  const heading = element.appendChild(document.createElement("strong"));
  heading.textContent = what;
  if (why !== "") element.appendChild(document.createElement("pre")).textContent = why;
  return element;
}
