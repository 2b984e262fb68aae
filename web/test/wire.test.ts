import { decode, mountsOf, scalarOf, windowOf } from "../src/wire";
import { equal, test, throws } from "./harness";

test("wire: messages are decoded", () => {
  equal(decode('{"type":"ack","ref":3,"error":"x","stale":[1]}'), {
    type: "ack", ref: 3, error: "x", stale: [1], failed: [],
  });
  equal(decode('{"type":"batch","seq":2,"ops":[["object",1,7],["owner",1,3,8],["mount",1,0,[1,2,[],5,[[0,6]]]]]}'), {
    type: "batch", seq: 2, defs: [],
    ops: [
      { op: "object", instance: 1, object: 7 },
      { op: "owner", instance: 1, slot: 3, object: 8 },
      { op: "mount", instance: 1, slot: 0, mount: [1, 2, [], 5, [[0, 6]]] },
    ],
  });
  equal(decode('{"type":"snapshot","proto":99999}'), { type: "foreign", proto: 99999 });
  equal(decode('{"type":"batch","seq":2,"ops":[["set",1,0,"a"],["mount",1,1,null],["list",1,2,0,1,[7,[1,8,[]]]],["window",1,3,9,[[2,[4]]]]]}'), {
    type: "batch",
    seq: 2,
    defs: [],
    ops: [
      { op: "set", instance: 1, slot: 0, value: "a" },
      { op: "mount", instance: 1, slot: 1, mount: null },
      { op: "list", instance: 1, slot: 2, start: 0, remove: 1, rows: [7, [1, 8, []]] },
      { op: "window", instance: 1, slot: 3, total: 9, segments: [{ start: 2, rows: [4] }] },
    ],
  });
});

const INVALID: readonly (readonly [text: string, error: string])[] = [
  ["{", "message is not JSON"],
  ["[]", "message must be an object"],
  ['{"type":"hello"}', 'unknown message type hello'],
  ['{"type":"ack","ref":-1}', "ack.ref must be a whole number"],
  ['{"type":"ack","ref":1.5}', "ack.ref must be a whole number"],
  ['{"type":"ack","ref":1,"error":5}', "ack.error must be a string"],
  ['{"type":"ack","ref":1,"stale":["a"]}', "ack.stale must be a whole number"],
  ['{"type":"batch","seq":1,"ops":[["mount",1,0,[1,2,[],"x"]]]}', "mount must be"],
  ['{"type":"batch","seq":1,"ops":[["object",1]]}', "op.object must be a whole number"],
  ['{"type":"batch","seq":1}', "batch.ops must be an array"],
  ['{"type":"batch","ops":[]}', "batch.seq must be a whole number, not nothing"],
  ['{"type":"batch","seq":1,"ops":[["set","1",0,"x"]]}', "op.instance must be a whole number"],
  ['{"type":"batch","seq":1,"ops":[["list",1,0,0,0,["x"]]]}', "mount must be"],
  ['{"type":"batch","seq":1,"ops":[["window",1,0,5]]}', "window.segments must be an array"],
  ['{"type":"batch","seq":1,"ops":[["jump",1,0]]}', "unknown op jump"],
  ['{"type":"batch","seq":1,"ops":[["mount",1,0,[1,2]]]}', "mount must be [template, instance, values]"],
  ['{"type":"batch","seq":1,"ops":[["window",1,0,2,[[1,[3,4]]]]]}', "segment of 2 rows from 1"],
  ['{"type":"batch","seq":1,"ops":[],"defs":[{"id":1,"key":"a"}]}', "definition.html must be a string"],
  ['{"type":"problems","problems":[{"id":1,"kind":"x"}]}', "problem.message must be a string"],
];

for (const [text, error] of INVALID) {
  test(`wire: ${text} is refused`, () => throws(() => decode(text), error));
}

test("wire: values of slots are validated by kind", () => {
  equal([scalarOf(undefined), scalarOf(["a", 1])], [null, ["a", 1]]);
  throws(() => scalarOf({}), "value must be a scalar");
  equal(mountsOf([[1, 2, []]]), [[1, 2, []]]);
  throws(() => mountsOf([[1]]), "mount must be");
  equal(windowOf([]), undefined);
  equal(windowOf({ total: 0, segments: [] }), { total: 0, segments: [] });
});
