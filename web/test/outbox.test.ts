import { Field, type Editor } from "../src/data/field";
import { Outbox, type Reason } from "../src/data/outbox";
import type { Value } from "../src/data/value";
import type { Event } from "../src/wire";
import { equal, test } from "./harness";

/** A control without DOM. */
class Control implements Editor {
  value: Value | undefined = null;
  readonly instance: number;
  readonly slot = 0;
  owner: number;

  constructor(instance: number) {
    this.instance = instance;
    this.owner = 100 + instance;
  }

  read(): Value | undefined {
    return this.value;
  }

  write(value: Value): void {
    this.value = value;
  }
}

/** A page with two fields, and a server that records what it gets. */
class World {
  online = true;
  seen = 1;
  typed: Field | undefined; // what the person types into, while something else causes what is sent
  readonly sent: [number, readonly Event[]][] = [];
  readonly as: (number | null)[] = []; // of each: the batch that the person had seen
  readonly outbox = new Outbox(
    (ref, events, seen) => {
      if (this.online) {
        this.sent.push([ref, events]);
        this.as.push(seen);
      }
      return this.online;
    },
    {
      pending: () => {},
      seen: () => this.seen,
      unfinished: () => this.typed,
      undelivered: ({ owner, value }, reason) => void this.back.push([owner, value, reason]),
      refused: (reason) => void this.refused.push(reason),
    },
  );
  readonly back: [owner: number, value: Value, Reason][] = [];
  readonly refused: Reason[] = [];
  readonly a = new Control(1);
  readonly b = new Control(2);
  readonly fieldA = new Field(this.a, this.outbox.edited);
  readonly fieldB = new Field(this.b, this.outbox.edited);

  constructor() {
    this.fieldA.offer("ann");
    this.fieldB.offer("bob");
  }

  type(field: Field, control: Control, text: string): void {
    control.value = text;
    field.change();
  }
}

test("outbox: an edit is sent when it is committed, and held until it is acknowledged", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.fieldA.offer("server");
  equal([w.sent.length, w.a.value], [0, "anna"]);
  w.outbox.commit(w.fieldA);
  equal(w.sent, [[1, [[1, 0, "anna"]]]]);
  w.fieldA.offer("newer");
  equal([w.a.value, w.outbox.pending], ["anna", 1]);
  equal(w.outbox.acknowledge(1).length, 1);
  equal([w.a.value, w.outbox.pending], ["newer", 0]);
});

test("outbox: an edit that returns to the original value is not sent", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.type(w.fieldA, w.a, "ann");
  w.outbox.commit(w.fieldA);
  equal([w.sent.length, w.fieldA.held], [0, false]);
});

test("outbox: an edit that returns to the original value keeps it until the control is left", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.fieldA.offer("other");
  w.type(w.fieldA, w.a, "ann");
  w.outbox.renamed(w.fieldA);
  equal(w.a.value, "ann");
  w.outbox.commit(w.fieldA);
  equal([w.a.value, w.sent.length, w.back.length], ["other", 0, 0]);
});

test("outbox: an action is sent after all unsent edits", () => {
  const w = new World();
  w.type(w.fieldB, w.b, "bobby");
  w.type(w.fieldA, w.a, "anna");
  w.outbox.send(9, 4);
  equal(w.sent, [[1, [[2, 0, "bobby"], [1, 0, "anna"], [9, 4]]]]);
});

test("outbox: edits survive a lost connection, actions do not", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.outbox.send(9, 4);
  w.online = false;
  w.outbox.lost();
  equal([w.outbox.pending, w.fieldA.edited], [0, true]);
  w.type(w.fieldB, w.b, "half");
  equal(w.outbox.send(9, 5), false);
  w.online = true;
  w.fieldA.offer("ann");
  w.outbox.connected();
  equal(w.sent.at(-1), [1, [[1, 0, "anna"]]]);
  equal([w.a.value, w.b.value, w.fieldB.edited], ["anna", "half", true]);
});

test("outbox: editing continues while a message is in flight", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "x");
  w.outbox.commit(w.fieldA);
  w.type(w.fieldA, w.a, "xy");
  w.fieldA.offer("x");
  equal([w.outbox.acknowledge(1).length, w.a.value], [0, "xy"]);
  w.outbox.commit(w.fieldA);
  equal(w.sent.at(-1), [2, [[1, 0, "xy"]]]);
});

test("outbox: an unsent edit is handed back when its control writes to another object", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.outbox.rebound(w.fieldA);
  w.fieldA.offer("zed");
  equal([w.back, w.a.value, w.fieldA.held], [[[101, "anna", "gone"]], "zed", false]);
  w.outbox.send(9, 4);
  equal(w.sent, [[1, [[9, 4]]]]);
});

test("outbox: an unsent edit is handed back when its control is removed", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.type(w.fieldB, w.b, "bob");
  w.outbox.rebound(w.fieldA);
  w.outbox.rebound(w.fieldB); // unchanged
  equal(w.back, [[101, "anna", "gone"]]);
});

test("outbox: an edit in flight is handed back if the server could not deliver it", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.type(w.fieldB, w.b, "bobby");
  w.outbox.send(9, 4);
  w.outbox.rebound(w.fieldA);
  w.fieldB.offer("bob");
  w.outbox.acknowledge(1, [0, 2], [1]);
  equal(w.back, [[101, "anna", "gone"], [102, "bobby", "failed"]]);
  equal([w.refused, w.b.value], [["gone"], "bob"]);
});

test("outbox: the person does not learn of an event without effect that only follows another", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.outbox.send(9, 4, undefined, true);
  w.outbox.acknowledge(1, [1]);
  w.outbox.send(9, 4, undefined, true);
  w.outbox.lost();
  equal([w.refused, w.back], [[], []]);
});

test("outbox: an edit in flight is not handed back if it arrived", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.outbox.commit(w.fieldA);
  w.outbox.rebound(w.fieldA);
  w.outbox.acknowledge(1);
  equal(w.back, []);
});

test("outbox: a newer edit takes the place of a refused one", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "an");
  w.outbox.commit(w.fieldA);
  w.type(w.fieldA, w.a, "ann b");
  w.outbox.acknowledge(1, [], [0]);
  equal([w.back, w.a.value], [[], "ann b"]);
});

test("outbox: an edit of a removed control whose acknowledgement never comes is handed back", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.outbox.commit(w.fieldA);
  w.outbox.rebound(w.fieldA);
  w.outbox.lost();
  equal(w.back, [[101, "anna", "unconfirmed"]]);
});

test("outbox: an edit in flight of an instance with a new id is sent again, and handed back once", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "anna");
  w.outbox.commit(w.fieldA);
  w.outbox.renamed(w.fieldA);
  equal(w.sent.length, 2);
  w.outbox.acknowledge(1, [0]);
  equal(w.back, []);
  w.outbox.rebound(w.fieldA);
  w.outbox.acknowledge(2, [0]);
  equal(w.back, [[101, "anna", "gone"]]);
});

test("outbox: an action waits for what is being read, and is sent as of when the person acted", () => {
  const w = new World();
  const { outbox, a, b, fieldA, fieldB, sent, refused } = w;
  let pending = true;
  Object.assign(a, { pending: () => pending });
  w.type(fieldA, a, "file");
  w.type(fieldB, b, "text");
  outbox.commit(fieldA);
  outbox.commit(fieldB);
  outbox.send(2, 1);
  w.seen = 9;
  equal(sent, [[1, [[2, 0, "text"]]]], "the other field need not wait");
  equal(outbox.pending, 2);
  pending = false;
  outbox.commit(fieldA);
  equal(sent.slice(1), [[2, [[1, 0, "file"]]], [3, [[2, 1]]]]);
  equal(w.as, [1, 9, 1]);
  equal(refused, []);
});

test("outbox: an action that waits when the connection breaks is not repeated", () => {
  const w = new World();
  const { outbox, a, fieldA, sent, refused } = w;
  let pending = true;
  Object.assign(a, { pending: () => pending });
  w.type(fieldA, a, "file");
  outbox.send(2, 1);
  outbox.lost();
  equal(refused, ["unconfirmed"]);
  outbox.connected();
  pending = false;
  outbox.commit(fieldA);
  equal(sent, [[1, [[1, 0, "file"]]]]);
});

test("outbox: an edit that is too large is handed back, and the others are sent", () => {
  const w = new World();
  w.type(w.fieldA, w.a, "x".repeat(33 << 20));
  w.type(w.fieldB, w.b, "bobby");
  equal(w.outbox.send(9, 4), true);
  equal(w.sent, [[1, [[2, 0, "bobby"]]], [2, [[9, 4]]]]);
  equal([w.back.length, w.back[0]?.[2], w.a.value], [1, "large", "ann"]);
  equal(w.outbox.send(9, 4, "x".repeat(33 << 20)), true);
  equal(w.refused, ["large"]);
});

test("outbox: what the person types stays with them when something else causes an action", () => {
  const w = new World();
  w.type(w.fieldB, w.b, "bobby");
  w.type(w.fieldA, w.a, "anna");
  w.typed = w.fieldA;
  w.outbox.send(9, 4);
  equal(w.sent, [[1, [[2, 0, "bobby"], [9, 4]]]]);
  w.typed = undefined;
  w.outbox.send(9, 4);
  equal(w.sent[1], [2, [[1, 0, "anna"], [9, 4]]]);
});

test("outbox: of several edits of a field in flight, the last is handed back", () => {
  const w = new World();
  for (const text of ["a", "ab", "abc"]) {
    w.type(w.fieldA, w.a, text);
    w.outbox.commit(w.fieldA);
  }
  w.outbox.rebound(w.fieldA);
  for (const ref of [1, 2, 3]) w.outbox.acknowledge(ref, [0]);
  equal(w.back, [[101, "abc", "gone"]]);
});
