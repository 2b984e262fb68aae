import { correspond, sameTarget, type Described } from "../src/data/correspond";
import { equal, random, test } from "./harness";

/** el describes an element: "#id value=name input:text .look Label", each part optional. */
function el(text: string): Described {
  const parts = text.split(" ");
  return {
    id: parts.find((p) => p.startsWith("#"))?.slice(1) ?? "",
    written: parts.find((p) => p.includes("=")) ?? "",
    kind: parts.find((p) => /^[a-z]+:?[a-z]*$/.test(p)) ?? "input:text",
    look: parts.find((p) => p.startsWith(".")) ?? "",
    label: parts.find((p) => /^[A-Z]/.test(p)) ?? "",
  };
}

const pairs = (old: string[], next: string[]): number[] => correspond(old.map(el), next.map(el));

test("correspond: a bound element is recognised by its binding as written and its kind", () => {
  equal(pairs(["value=name", "value=mail"], ["value=mail", "value=phone", "value=name"]), [2, 0]);
  equal(pairs(["value=name"], ["value=name?keypress"]), [-1], "with other options");
  equal(pairs(["value=key input:password"], ["value=key input:text"]), [-1], "of another kind");
  equal(pairs(["value=a", "value=a", "value=a"], ["value=a", "value=a"]), [0, 1, -1], "several of one binding");
  equal(pairs(["action=go() button", "value=go()"], ["value=go()", "action=go() button"]), [1, 0]);
});

test("correspond: of several with the same binding of something else, those that look the same are counterparts", () => {
  equal(pairs(["event=go() .from", "event=go() .to"], ["event=go() .to"]), [-1, 0], "removed");
  equal(pairs(["event=go() .from", "event=go() .to"], ["event=go() .by", "event=go() .from"]), [1, -1], "exchanged");
  equal(pairs(["class-bad=bad .from"], ["class-bad=bad .to"]), [0], "the only one");
  equal(pairs(["#a event=go()", "#b event=go()"], ["#b event=go()", "#c event=go()"]), [-1, 0], "by ids");
});

test("correspond: the binding comes before the id, and the id before its absence", () => {
  equal(pairs(["#a value=name", "#b value=mail"], ["#a value=mail", "#b value=name"]), [1, 0], "ids exchanged");
  equal(pairs(["#a value=name", "#b value=name"], ["#b value=name", "#a value=name"]), [1, 0], "of one binding");
  equal(pairs(["#a value=name"], ["#a value=name?keypress"]), [0], "the same id");
  equal(pairs(["value=name"], ["#a value=name"]), [0], "a new id");
});

test("correspond: an unbound element is recognised by its id, else by its look where it has no double", () => {
  equal(pairs([".search", ".note"], [".note", ".more", ".search"]), [2, 0]);
  equal(pairs([".search"], [".search", ".search"]), [-1], "a double in the next version");
  equal(pairs([".search", ".search"], [".search"]), [-1, -1], "a double in the old version");
  equal(pairs(["#a .f", "#b .f"], ["#b .f", "#a .f"]), [1, 0], "by ids");
  equal(pairs(["#a .f"], ["#b .f"]), [-1], "another id");
  equal(pairs(["#a .f"], [".f"]), [0], "without its id");
  equal(pairs([".f"], [".f value=name"]), [-1], "bound in the next version");
  equal(pairs([".f input:password"], [".f input:text"]), [-1], "of another kind");
});

test("correspond: unbound elements that look the same are recognised by their labels", () => {
  equal(pairs(["From", "To"], ["Via", "To", "From"]), [2, 1]);
  equal(pairs(["From", "#to To"], ["From", "#to To"]), [0, 1], "beside one with an id");
  equal(pairs(["From"], ["Origin"]), [0], "another label, where nothing looks the same");
  equal(pairs(["From", "To"], ["Origin", "To"]), [-1, 1], "another label, where something does");
  equal(pairs(["From", "From"], ["From", "From"]), [-1, -1], "of one label");
  equal(pairs(["#a From"], ["#b From"]), [-1], "of other ids");
  equal(pairs(["From input:password"], ["From input:text"]), [-1], "of another kind");
});

test("correspond: pairs are one to one, and agree with what identifies them, at random", () => {
  const rnd = random(11);
  const pick = <T>(...list: T[]): T => list[rnd(list.length)] as T;
  const version = (): Described[] =>
    Array.from({ length: rnd(9) }, () => ({
      id: pick("", "", "a", "b", "c"),
      written: pick("", "", "value=a", "value=b", "value=b?keypress", "list=c"),
      kind: pick("input:text", "input:password", "textarea:"),
      look: pick("", "x", "y"),
      label: pick("", "", "From", "To"),
    }));
  for (let round = 0; round < 3000; round++) {
    const [old, next] = [version(), version()];
    const found = correspond(old, next);
    const used = found.filter((j) => j >= 0);
    equal(new Set(used).size, used.length, "distinct counterparts");
    found.forEach((j, i) => {
      const [a, b] = [old[i] as Described, next[j]];
      if (b === undefined) {
        const missed = next.some((d, k) => a.written !== "" && a.written.startsWith("value=") && d.written === a.written && d.kind === a.kind && !used.includes(k));
        return equal(missed, false, `a counterpart left for ${JSON.stringify(a)}`);
      }
      const byID = a.id !== "" && a.id === b.id;
      const byBinding = a.written !== "" && a.written === b.written && a.kind === b.kind;
      const alike = (d: Described): boolean => d.written === "" && d.kind === a.kind && d.look === a.look;
      const called = (d: Described): boolean => alike(d) && a.label !== "" && d.label === a.label;
      const only = (fits: (d: Described) => boolean): boolean =>
        fits(a) && fits(b) && old.filter(fits).length === 1 && next.filter(fits).length === 1;
      const byLook = (a.id === "" || b.id === "") && (only(called) || only(alike));
      equal(byID || byBinding || byLook, true, `reason for ${JSON.stringify([a, b])}`);
    });
  }
});

test("correspond: the options of a binding do not change where it leads", () => {
  equal([sameTarget("value=a", "value=a?keypress"), sameTarget("value=a", "value=ab"), sameTarget("value=a", "list=a")], [
    true, false, false,
  ]);
});
