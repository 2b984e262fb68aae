import { Sources, type Source } from "../src/popup/sources";
import type { Mode } from "../src/popup/link";
import type { Surface, Wanted } from "../src/popup/surface";
import { equal, testAsync } from "./harness";

const asked = (...ids: string[]): string => JSON.stringify({
  type: "state", waiting: ids.length, history: [], order: ids.map((id) => ({ id, dialog: true })),
  questions: ids.map((id) => ({
    id, workspace: "/w", title: id, html: "", options: [], allowText: true, multiple: false, prompt: false, secret: false,
    reveal: false, asker: "agent", default: "", severity: "info", images: [], at: 1, deadline: 2,
  })),
});

/** body waits until the document has one. */
async function body(): Promise<void> {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
}

class Whole implements Surface {
  readonly address = "";
  readonly canNotify = false;
  readonly focused = true;
  mode: Mode = "none";
  want({ mode }: Wanted): void { this.mode = mode; }
  call(): void {}
  askToNotify(): void {}
}

/** Panes are the connections of a page with the named terminals. */
class Panes {
  readonly sent: string[] = []; // answers, with the connection
  readonly of = new Map<string, Source>();

  constructor(...names: string[]) {
    const sources = new Sources(() => new Whole());
    for (const name of names) this.of.set(name, sources.add((text) => {
      const { type, text: answer } = JSON.parse(text) as { type: string; text?: string };
      if (type === "answer") this.sent.push(`${name} ${answer}`);
      return true;
    }));
  }

  received(name: string, text: string): void {
    this.of.get(name)?.received(text);
  }

  get #root(): ShadowRoot | null | undefined {
    return [...document.body.querySelectorAll("ui-popup")].at(-1)?.shadowRoot;
  }

  answer(text: string): void {
    const field = this.#root?.querySelector<HTMLTextAreaElement>("textarea");
    const form = this.#root?.querySelector("form");
    if (!field || !form) throw new Error("there is no question");
    field.value = text;
    form.requestSubmit();
  }

  /** looks returns what the person sees: whether the answer is on its way, and why it was not taken. */
  looks(): [busy: boolean, lost: boolean] {
    const form = this.#root?.querySelector("dialog[open] form");
    return [form?.getAttribute("aria-busy") === "true", form?.querySelector(".error")?.textContent?.includes("connection broke") === true];
  }
}

testAsync("sources: an answer that is lost with its connection is asked for again", async () => {
  await body();
  const panes = new Panes("one");
  panes.received("one", asked("q"));
  panes.answer("first");
  equal(panes.looks(), [true, false], "the answer is on its way");
  panes.of.get("one")?.ended(true);
  equal(panes.looks(), [true, false], "the connection is broken");
  panes.received("one", asked("q"));
  equal(panes.looks(), [false, true], "the question is open still");
  panes.answer("again");
  panes.received("one", asked("q", "other"));
  equal(panes.looks(), [true, false], "another question comes");
  equal(panes.sent, ["one first", "one again"]);
});

testAsync("sources: only the connection that has an answer can lose it", async () => {
  await body();
  const panes = new Panes("one", "two");
  for (const name of ["one", "two"]) panes.received(name, asked("q"));
  panes.answer("first");
  panes.of.get("two")?.ended(true);
  panes.received("two", asked("q"));
  equal(panes.looks(), [true, false], "another connection has broken");
  panes.of.get("one")?.ended(false);
  equal(panes.looks(), [false, true], "its terminal is closed");
  panes.answer("again");
  equal(panes.sent, ["one first", "two again"]);
  panes.received("two", '{"type":"verdict","id":"q","ok":false,"error":"too short"}');
  panes.answer("third");
  panes.received("two", '{"type":"verdict","id":"q","ok":true}');
  panes.of.get("two")?.ended(true);
  panes.received("two", asked("q"));
  equal(panes.looks(), [true, false], "the answer has arrived");
});
