import { match, type Written } from "../src/data/match";
import { equal, random, test } from "./harness";

/**
 * nodes reads a template: a word is a node, "(" begins what is in it and ")" ends it. A word may be
 * kind#id.look=text, each part but the kind optional. A kind of capital letters is sure, and one that
 * begins with "-" has no place.
 */
function nodes(text: string): Written[] {
  const list: Written[] = [];
  const open: number[] = [];
  const starts: number[] = [];
  for (const word of text.replace(/([()])/g, " $1 ").split(" ").filter((w) => w !== "")) {
    if (word === "(") open.push(list.length - 1);
    else if (word === ")") open.pop();
    else {
      const [, kind = "", id = "", look = ""] = /^([-\w]+)(?:#(\w+))?(?:\.(\w+))?(?:=.*)?$/.exec(word) ?? [];
      list.push({ parent: open.at(-1) ?? -1, size: 1, whole: word, kind, id, look, sure: /^[A-Z]/.test(kind), placed: !/^[-A-Z]/.test(kind) });
      starts.push(list.length - 1);
    }
  }
  for (let i = list.length - 1; i >= 0; i--) {
    const { parent, size, whole } = list[i] as Written;
    if (parent >= 0) {
      const around = list[parent] as Written;
      list[parent] = { ...around, size: around.size + size, whole: `${around.whole} ${i - parent}${whole}` };
    }
  }
  return list;
}

/** pairs says by their place which nodes of the next version are which of the old one. */
const pairs = (old: string, next: string): string => match(nodes(old), nodes(next)).join();

test("match: what is unchanged is the same, wherever it is", () => {
  equal(pairs("a (b c)", "a (x b c)"), "0,-1,1,2");
  equal(pairs("h=A d h=B d", "h=X d h=A d h=B d"), "-1,-1,0,1,2,3", "in the longest sequence");
  equal(pairs("a=1 (b c) d", "d a=1 (b c)"), "3,0,1,2", "moved");
  equal(pairs("a", "w (x (a))"), "-1,-1,0", "into something new");
  equal(pairs("w (x (a))", "a"), "2");
  const [d, e, c, f] = ["d=1 (t (a b) t (a b))", "e (x y z v w)", "c (a b)", "f (g h i)"];
  const whole = "7,8,9,10,11,12,0,1,2,3,4,5,6,16,17,18,19,13,14,15";
  equal(pairs(`${d} ${e} ${c} ${f}`, `${e} ${d} ${f} ${c}`), whole, "with all that is in it, though some of that is elsewhere, too");
});

test("match: what has changed is recognised by its id, by what it is for, and by what is in it", () => {
  equal(pairs("a#i=1 a=2", "a=3 a#i=4"), "-1,0");
  equal(pairs("a#i=1", "a#j=1x"), "-1", "two ids are two elements");
  equal(pairs("NAME=1 MAIL=1", "MAIL=2 NAME=2"), "1,0", "a sure kind");
  equal(pairs("NAME#a=1 MAIL#b=1", "MAIL#a=2 NAME#b=2"), "1,0", "comes before the id");
  equal(pairs("NAME.x=1 NAME.y=1", "NAME.y=2 NAME.x=2"), "1,0", "several of one kind");
  equal(pairs("-b.from=1 -b.to=1", "-b.to=2"), "1");
  equal(pairs("-b.from=1 -b.to=1", "-b.by=2"), "-1");
  equal(pairs("-b.from=1", "-b.by=2"), "0", "the only one of its kind");
  equal(pairs("x (s=1 (a b)) s=2", "s=3 (a b) x (c)"), "1,2,3,0,-1", "by what is in it");
});

test("match: what nothing else identifies is recognised by its place", () => {
  equal(pairs("r (p=1 p=2 p=3)", "r (p=1 p=x p=3)"), "0,1,2,3");
  equal(pairs("r (p=1 q p=2)", "r (p=x q p=y)"), "0,1,2,3");
  equal(pairs("r (q p=1 p=2)", "r (p=x q)"), "0,-1,1", "between the same siblings");
  equal(pairs("r (-b=1 -b=2)", "r (-b=3 -b=4)"), "0,-1,-1", "but not a button");
});

test("match: each node has one counterpart at most, of its kind", () => {
  const up = random(1);
  const word = (): string => ["a", "b", "NAME", "-c", "a#i", "b.l"][up(6)] + "=" + up(3);
  const tree = (depth: number): string => {
    let text = "";
    for (let n = up(4); n >= 0; n--) text += ` ${word()}${depth > 0 && up(2) === 0 ? ` (${tree(depth - 1)})` : ""}`;
    return text;
  };
  for (let n = 0; n < 300; n++) {
    const [a, b] = [tree(3), tree(3)];
    const [old, next] = [nodes(a), nodes(b)];
    const found = match(old, next);
    const used = found.filter((i) => i >= 0);
    equal(new Set(used).size, used.length, `${a} -> ${b}`);
    found.forEach((i, j) => {
      if (i >= 0) equal(old[i]?.kind, next[j]?.kind, `${a} -> ${b}`);
    });
    equal(match(old, old).join(), old.map((_, i) => i).join(), a);
  }
});
