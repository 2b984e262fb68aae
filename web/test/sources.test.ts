import { PopupElement } from "../src/popup/element";
import { Sources, type DialogModule, type Source } from "../src/popup/sources";
import type { Mode } from "../src/popup/link";
import type { Surface, Wanted } from "../src/popup/surface";
import { Clock, equal, testAsync } from "./harness";

const asked = (...ids: string[]): string => JSON.stringify({
  type: "state", waiting: ids.length, history: [], order: ids.map((id) => ({ id, dialog: true })),
  questions: ids.map((id) => ({
    id, workspace: "/w", title: id, html: "", options: [], allowText: true, multiple: false, prompt: false, secret: false,
    reveal: false, asker: "agent", host: "", default: "", severity: "info", images: [], at: 1, deadline: 2,
  })),
});

/** body waits until the document has one. */
async function body(): Promise<void> {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
}

class Whole implements Surface {
  readonly address = "";
  readonly canNotify = false;
  mode: Mode = "none";
  want({ mode }: Wanted): void { this.mode = mode; }
  call(): void {}
  askToNotify(): void {}
}

/** Panes are the connections of a page with the named terminals. */
class Panes {
  readonly sent: string[] = []; // answers, with the connection
  readonly of = new Map<string, Source>();
  #element: Element | undefined; // other tests have others

  constructor(names: string[], load: (attempt: number) => Promise<DialogModule> = async () => ({ PopupElement })) {
    const sources = new Sources(() => new Whole(), load);
    for (const name of names) this.of.set(name, sources.add((text) => {
      const { type, text: answer } = JSON.parse(text) as { type: string; text?: string };
      if (type === "answer") this.sent.push(`${name} ${answer}`);
      return true;
    }));
  }

  received(name: string, text: string): void {
    this.of.get(name)?.received(text);
  }

  /** displayed waits until a question is displayed, which no other test has: the dialog is loaded with the first one. */
  async displayed(title: string): Promise<void> {
    const found = (): Element | undefined =>
      [...document.body.querySelectorAll("ui-popup")].find((e) => e.shadowRoot?.querySelector("dialog[open] h2")?.textContent === title);
    while ((this.#element = found()) === undefined) await new Promise((done) => setTimeout(done));
  }

  get #root(): ShadowRoot | null | undefined {
    return this.#element?.shadowRoot;
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
  const panes = new Panes(["one"]);
  panes.received("one", asked("lost"));
  await panes.displayed("lost");
  panes.answer("first");
  equal(panes.looks(), [true, false], "the answer is on its way");
  panes.of.get("one")?.ended(true);
  equal(panes.looks(), [true, false], "the connection is broken");
  panes.received("one", asked("lost"));
  equal(panes.looks(), [false, true], "the question is open still");
  panes.answer("again");
  panes.received("one", asked("lost", "other"));
  equal(panes.looks(), [true, false], "another question comes");
  equal(panes.sent, ["one first", "one again"]);
});

testAsync("sources: only the connection that has an answer can lose it", async () => {
  await body();
  const panes = new Panes(["one", "two"]);
  for (const name of ["one", "two"]) panes.received(name, asked("either"));
  await panes.displayed("either");
  panes.answer("first");
  panes.of.get("two")?.ended(true);
  panes.received("two", asked("either"));
  equal(panes.looks(), [true, false], "another connection has broken");
  panes.of.get("one")?.ended(false);
  equal(panes.looks(), [false, true], "its terminal is closed");
  panes.answer("again");
  equal(panes.sent, ["one first", "two again"]);
  panes.received("two", '{"type":"verdict","id":"either","ok":false,"error":"too short"}');
  panes.answer("third");
  panes.received("two", '{"type":"verdict","id":"either","ok":true}');
  panes.of.get("two")?.ended(true);
  panes.received("two", asked("either"));
  equal(panes.looks(), [true, false], "the answer has arrived");
});

testAsync("sources: an answer that is to be sent again is not sent to the next question", async () => {
  await body();
  const panes = new Panes(["one"]);
  panes.received("one", asked("hasty"));
  await panes.displayed("hasty");
  const clock = new Clock();
  panes.answer("first");
  panes.received("one", '{"type":"verdict","id":"hasty","ok":false,"error":"too early","again":100}');
  panes.received("one", asked());
  panes.received("one", asked("hasty"));
  await clock.advance(1000);
  clock.stop();
  equal(panes.sent, ["one first"]);
});

testAsync("sources: what is displayed is of the connection that gets the answer", async () => {
  await body();
  const panes = new Panes(["one", "two"]);
  panes.received("one", asked("whose"));
  panes.received("two", asked("whose").replace('"title":"whose"', '"title":"of two"'));
  await panes.displayed("whose");
  panes.answer("a secret");
  equal(panes.sent, ["one a secret"]);
});

testAsync("sources: the dialog is loaded with the first question, and again where that fails", async () => {
  await body();
  let loads = 0;
  const panes = new Panes(["one"], async () => {
    if (loads++ === 0) throw new Error("there is no connection");
    return { PopupElement };
  });
  const said = (): boolean => document.body.textContent?.includes("could not be loaded") === true;
  panes.received("one", asked());
  equal(loads, 0, "loads without a question");
  panes.received("one", asked("late"));
  while (!said()) await new Promise((done) => setTimeout(done));
  await panes.displayed("late");
  equal([loads, said()], [2, false], "loads, and what is said");
  panes.answer("yes");
  equal(panes.sent, ["one yes"]);
});

testAsync("sources: a question that is over before its dialog could be loaded leaves nothing", async () => {
  await body();
  let fail = (): void => {};
  const panes = new Panes(["one"], () => new Promise((_, refuse) => (fail = () => refuse(new Error("there is no connection")))));
  panes.received("one", asked("over"));
  panes.received("one", asked());
  fail();
  await new Promise((done) => setTimeout(done));
  equal(document.body.textContent?.includes("could not be loaded"), false, "what is said");
});

testAsync("sources: what failed for an earlier question is said of the next one, and not loaded from there", async () => {
  await body();
  const { setTimeout } = globalThis;
  const paused: (() => void)[] = []; // ends of pauses between attempts
  const attempts: number[] = [];
  let load = async (): Promise<DialogModule> => {
    throw new Error("there is no connection");
  };
  const panes = new Panes(["one"], (attempt) => {
    attempts.push(attempt);
    return load();
  });
  const said = (): boolean => document.body.textContent?.includes("could not be loaded") === true;
  globalThis.setTimeout = ((end: () => void) => paused.push(end)) as unknown as typeof setTimeout;
  try {
    panes.received("one", asked("first"));
    while (paused.length === 0) await new Promise((done) => setTimeout(done));
    panes.received("one", asked());
    equal(said(), false, "no question waits");
    panes.received("one", asked("second"));
    equal(said(), true, "a question comes in the pause");
    panes.received("one", asked());
    paused.shift()?.();
    await new Promise((done) => setTimeout(done));
    equal(attempts, [0], "no question waits after the pause");
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  load = async () => ({ PopupElement });
  panes.received("one", asked("third"));
  await panes.displayed("third");
  equal([attempts, said()], [[0, 1], false], "the attempts, and what is said");
});
