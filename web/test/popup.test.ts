import { QuestionQueue, type Asked } from "../src/popup/queue";
import { decode, type Question, type State } from "../src/popup/wire";
import { equal, test, throws } from "./harness";

const question = (id: string): Question => ({
  id, workspace: "/w", title: id, html: "", options: [], allowText: true, multiple: false, prompt: false, secret: false, reveal: false, asker: "agent", host: "", client: "",
  default: "", severity: "info", images: [], files: 0, ends: 2,
});

const state = (order: State["order"], questions: readonly Question[], history: State["history"] = []): State => ({
  type: "state", order, questions, waiting: order.length, history,
});

test("popup wire: messages are decoded", () => {
  const order = [{ id: "a", dialog: true }];
  const { ends, ...sent } = question("a");
  const message = decode(JSON.stringify({ ...state(order, []), questions: [{ ...sent, deadline: Math.round(performance.timeOrigin) + ends }] })) as State;
  const [got] = message.questions;
  equal({ ...message, questions: [{ ...got, ends }] }, state(order, [question("a")]));
  equal(Math.abs((got?.ends ?? 0) - ends) < 1000, true, "the page's clock");
  equal(decode('{"type":"verdict","id":"a","ok":false,"over":true,"error":"late"}'), {
    type: "verdict", id: "a", ok: false, over: true, error: "late",
  });
  equal(decode('{"type":"verdict","id":"a","ok":false,"again":40}'), { type: "verdict", id: "a", ok: false, again: 40 });
});

const INVALID: readonly (readonly [text: string, error: string])[] = [
  ["nonsense", "message is not JSON"],
  ['{"type":"news"}', "unknown message type news"],
  ['{"type":"verdict","id":"a"}', "verdict.ok must be true or false"],
  ['{"type":"state","order":[{"id":1}]}', "entry.id must be a string"],
  ['{"type":"state","order":[],"questions":[{"id":"a"}]}', "question.workspace must be a string"],
  [JSON.stringify(state([], [{ ...question("a"), severity: "mild" as "info" }])), "question.severity"],
  [JSON.stringify(state([], [{ ...question("a"), options: [{ label: "x" } as never] }])), "option.value must be a string"],
  [JSON.stringify(state([], [{ ...question("a"), images: [{ src: 5 } as never] }])), "image.src must be a string"],
  [JSON.stringify({ ...state([], []), history: [{ id: "a" }] }), "past.title must be a string"],
];

INVALID.forEach(([text, error], i) => {
  test(`popup wire: invalid message ${i} (${error}) is refused`, () => throws(() => decode(text), error));
});

test("queue: new and ended questions are reported once", () => {
  const queue = new QuestionQueue();
  const ids = (asked: readonly Asked[]): string[] => asked.map(({ question: { id } }) => id);
  const entries = [{ id: "a", dialog: true }, { id: "b", dialog: false }];
  equal(ids(queue.update(state(entries, [question("a"), question("b")])).fresh), ["a", "b"]);
  equal([queue.current?.question.id, queue.get("a")?.mine, queue.get("b")?.mine, queue.get("c")], ["a", true, false, undefined]);
  const past = { id: "a", title: "a", outcome: "answered", answer: "x", channel: "page", at: 3 };
  const { fresh, over } = queue.update(state([{ id: "b", dialog: true }], [], [past]));
  equal([fresh, ids(over), queue.current?.question.id, queue.outcome("a")?.answer], [[], ["a"], "b", "x"]);
});

test("queue: a question that is sent again stays postponed", () => {
  const queue = new QuestionQueue();
  const again = state([{ id: "a", dialog: true }], [question("a")]);
  queue.update(again);
  Object.assign(queue.get("a") as Asked, { postponed: true });
  equal([queue.update(again).fresh, queue.current], [[], undefined]);
  Object.assign(queue.get("a") as Asked, { postponed: false });
  equal(queue.current?.question.id, "a");
});
