import { Questions } from "../src/chat/questions";
import { equal, test } from "./harness";

const present = {
  type: "state", waiting: 1, history: [], order: [{ id: "present", dialog: true }],
  questions: [{
    id: "present", workspace: "/w", title: "Present?", html: "", options: [], allowText: true, multiple: false, prompt: false, secret: false,
    reveal: false, asker: "agent", host: "", default: "", severity: "info", images: [], at: 1, deadline: 2,
  }],
};

/** view returns a view's questions, what they have said, and the title of the one that is displayed. */
function view(): { questions: Questions; said: string[]; title(): string | undefined } {
  const [parent, said] = [document.createElement("div"), [] as string[]];
  document.documentElement.append(parent);
  const bar = { element: document.createElement("div"), tools: document.createElement("div") };
  const questions = new Questions(parent, bar, () => true, (text) => said.push(text));
  return { questions, said, title: () => parent.querySelector("ui-popup")?.shadowRoot?.querySelector("dialog[open] h2")?.textContent ?? undefined };
}

test("questions: the view of an old question is closed, whatever comes first", () => {
  for (const first of ["the host", "the server"]) {
    const { questions, said, title } = view();
    if (first === "the host") questions.concerns("old");
    questions.received(present);
    if (first === "the server") questions.concerns("old");
    equal(title(), undefined, `the title when ${first} comes first`);
    equal(said.at(-1), "This question is closed.", `the note when ${first} comes first`);
  }
});

test("questions: a view displays its own question, whatever comes first", () => {
  for (const first of ["the host", "the server"]) {
    const { questions, said, title } = view();
    if (first === "the host") questions.concerns("present");
    questions.received(present);
    if (first === "the server") questions.concerns("present");
    equal(title(), "Present?", `the title when ${first} comes first`);
    equal(said, [], "notes");
  }
});

test("questions in a view: a question that waits as a chip lets no part of the view scroll", () => {
  const [box, content, parent] = [document.createElement("div"), document.createElement("div"), document.createElement("div")];
  box.style.cssText = "position: relative; width: 400px; height: 200px; overflow: auto;"; // as the frame of the view
  content.style.height = "200px";
  parent.append(content);
  box.append(parent);
  document.documentElement.append(box);
  const questions = new Questions(parent, { element: document.createElement("div"), tools: document.createElement("div") }, () => true, () => {});
  questions.received({ ...present, order: [{ id: "present", dialog: false }] });
  equal(box.querySelector<HTMLElement>("ui-popup")?.dataset["state"], "chip", "the state");
  equal([box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight], [0, 0], "what can scroll");
  box.remove();
});
