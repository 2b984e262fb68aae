import { objectsIn } from "../src/data/objects";
import { Extents } from "../src/data/extents";
import { stationary } from "../src/data/order";
import { missingRange } from "../src/data/range";
import { same } from "../src/data/value";
import { Reports } from "../src/report";
import type { PageError } from "../src/wire";
import { equal, random, test } from "./harness";

test("extents: unmeasured rows count as the average of the measured ones", () => {
  const extents = new Extents();
  extents.resize(10);
  equal(extents.offset(10), 320);
  extents.measure(0, 10);
  extents.measure(1, 30);
  extents.learn();
  equal(extents.estimate, 20);
  equal([extents.offset(1), extents.offset(2), extents.offset(10)], [10, 40, 200]);
  equal([extents.at(-5), extents.at(9), extents.at(10), extents.at(39), extents.at(1e9)], [0, 0, 1, 1, 9]);
  extents.forget();
  equal([extents.offset(10), extents.estimate], [200, 20], "offset and estimate after forget");
});

test("extents: agree with sums over an array while rows come, go and grow", () => {
  const rnd = random(7);
  const extents = new Extents();
  let rows: (number | undefined)[] = [];
  for (let step = 0; step < 400; step++) {
    if (rnd(3) === 0) {
      const at = rnd(rows.length + 1);
      const by = rnd(2) === 0 ? rnd(9) : -Math.min(rnd(9), at);
      if (by >= 0) rows.splice(at, 0, ...new Array<undefined>(by).fill(undefined));
      else rows.splice(at + by, -by);
      extents.resize(rows.length, at);
    } else if (rows.length > 0) {
      const [row, extent] = [rnd(rows.length), 1 + rnd(90)];
      rows[row] = extent;
      extents.measure(row, extent);
    }
    let sum = 0;
    rows.forEach((extent, i) => {
      equal(extents.offset(i), sum, `offset of row ${i} at step ${step}`);
      equal(extents.at(sum), i, `row at ${sum} at step ${step}`);
      sum += extent ?? extents.estimate;
    });
    equal(extents.offset(rows.length), sum, `end at step ${step}`);
  }
});

test("order: the rows that stay are a longest run through the pinned row", () => {
  const rnd = random(3);
  for (let round = 0; round < 300; round++) {
    const old = Array.from({ length: rnd(8) }, (_, i) => i);
    const origin: number[] = [];
    while (old.length > 0) {
      if (rnd(4) === 0) origin.push(-1);
      origin.push(old.splice(rnd(old.length), 1)[0] as number);
    }
    const kept = origin.flatMap((o, i) => (o >= 0 ? [i] : []));
    const pin = rnd(2) === 0 && kept.length > 0 ? (kept[rnd(kept.length)] as number) : -1;
    const stays = stationary(origin, pin).flatMap((s, i) => (s ? [i] : []));
    const rising = (run: readonly number[]): boolean =>
      run.every((i, k) => k === 0 || (origin[run[k - 1] as number] as number) < (origin[i] as number));
    equal(rising(stays) && (pin < 0 || stays.includes(pin)), true, `stays ${stays} of ${origin}, pin ${pin}`);
    let longest = 0;
    for (let set = 0; set < 1 << kept.length; set++) {
      const run = kept.filter((_, k) => (set & (1 << k)) !== 0);
      if (rising(run) && (pin < 0 || run.includes(pin))) longest = Math.max(longest, run.length);
    }
    equal(stays.length, longest, `rows that stay of ${origin}, pin ${pin}`);
  }
});

test("range: requests cover what is visible and are in bounds", () => {
  equal(missingRange({ start: 0, end: 10 }, 0, []), undefined);
  equal(missingRange({ start: 40, end: 50 }, 1000, [{ start: 20, end: 70 }]), undefined);
  const rnd = random(5);
  for (let round = 0; round < 1000; round++) {
    const total = 1 + rnd(5000);
    const start = rnd(total);
    const visible = { start, end: Math.min(start + 1 + rnd(60), total) };
    const range = missingRange(visible, total, []);
    if (range === undefined) throw new Error("nothing is requested though nothing is rendered");
    const fits = range.start >= 0 && range.start <= visible.start && range.end >= visible.end && range.end <= total;
    equal(fits && range.end - range.start <= 1000, true, `[${range.start}, ${range.end}) for [${start}, ${visible.end}) of ${total}`);
    equal(missingRange(visible, total, [range]), undefined, "request after the answer");
  }
});

test("range: three screens on both sides, when there is less than one", () => {
  const visible = { start: 500, end: 520 };
  equal(missingRange(visible, 1000, []), { start: 432, end: 580 });
  equal(missingRange(visible, 1000, [{ start: 480, end: 540 }]), undefined);
  equal(missingRange(visible, 1000, [{ start: 481, end: 540 }]), { start: 432, end: 580 });
});

test("objects: all mounts of a message are found", () => {
  const list = { total: 9, segments: [{ start: 0, rows: [[2, 7, [], 31]] }] };
  const ops = [{ op: "list", instance: 1, rows: [[2, 5, ["a", ["x", "y"], [[3, 6, [], 30]]], 20], 4] }, list];
  equal([...objectsIn(ops)].sort(), [20, 30, 31]);
  equal([...objectsIn(null), ...objectsIn([2, 5, []])], []);
});

test("value: arrays are compared element by element, and NaN equals NaN", () => {
  equal([same([1, "a"], [1, "a"]), same([1], ["1"]), same([], []), same(null, undefined), same(2, 2)], [
    true, false, true, false, true,
  ]);
  equal([same(NaN, NaN), same([NaN, 1], [NaN, 1]), same(NaN, 0), same("NaN", NaN), same(0, -0)], [
    true, true, false, false, true,
  ]);
});

test("error reports: each error is sent once, and no more than 200", () => {
  const reports = new Reports();
  const report = (message: string): void => reports.add("test", message);
  let sent: string[] = [];
  const send = ({ message }: PageError): void => void sent.push(message);
  report("early");
  report("early");
  reports.connected(send);
  report("e0");
  equal(sent, ["early", "e0"]);
  reports.lost();
  report("offline");
  sent = [];
  reports.connected(send);
  for (let i = 0; i < 300; i++) report(`e${i}`);
  equal([sent.length, sent[0], sent.at(-1)], [198, "offline", "e197"]);
});
