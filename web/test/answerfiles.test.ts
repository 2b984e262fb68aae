import { Dialog } from "../src/popup/dialog";
import type { Question, Reply } from "../src/popup/wire";
import { equal, test, testAsync } from "./harness";

const question = (id: string, severity: Question["severity"] = "info"): Question => ({
  id, workspace: "/w", title: id, html: "", options: [{ label: "Yes", value: "yes", description: undefined }], allowText: false, multiple: false, prompt: false, secret: false, reveal: false,
  asker: "agent", host: "", client: "", default: "", severity, images: [], files: 2, ends: 2,
});

/** turn lets everything happen that waits for nothing else. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Desk is a dialog with question a, which reads files when read is called. It is in no document,
 * where the questions of other tests would drop its clicks.
 */
class Desk {
  readonly sent: string[] = [];
  readonly dialog = new Dialog({
    replied: ({ id }: Question, { action, values, files }: Reply) => {
      this.sent.push([id, action, ...values, ...(files ?? []).map(({ name }) => name)].join(" "));
    },
    postpone: () => {}, active: () => {}, notify: () => {}, resized: () => {},
  });
  readonly #waiting = new Map<string, (read: boolean) => void>();

  constructor() {
    this.show(question("a"));
  }

  show(question: Question): void {
    this.dialog.element.open = true;
    this.dialog.show(question);
  }

  part(selector: string): HTMLElement {
    const part = this.dialog.element.querySelector<HTMLElement>(selector);
    if (part === null) throw new Error(`there is no ${selector}`);
    return part;
  }

  /** drop drops files on the form. */
  drop(...names: string[]): void {
    const files = names.map((name) => {
      const file = new File(["words"], name);
      file.arrayBuffer = () => new Promise((resolve, reject) => {
        this.#waiting.set(name, (read) => (read ? resolve(new ArrayBuffer(5)) : reject(new Error("gone"))));
      });
      return file;
    });
    const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() });
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files } });
    this.part("form").dispatchEvent(event);
  }

  /** read ends the reading of a file. */
  async read(name: string, ok = true): Promise<void> {
    await turn(); // one is read after the other
    this.#waiting.get(name)?.(ok);
    await turn();
  }
}

testAsync("files of answers: a click answers its own question only, however late the files are read", async () => {
  for (const between of ["declined", "put away", "ended"]) {
    const desk = new Desk();
    desk.drop("a.txt");
    desk.part(".option").click();
    if (between === "declined") desk.part(".decline").click();
    if (between === "ended") desk.dialog.end();
    else desk.dialog.close();
    if (between !== "ended") desk.show(question("b", "danger"));
    await desk.read("a.txt");
    equal(desk.sent, between === "declined" ? ["a decline"] : [], `what is sent when the first is ${between}`);
    }
});

testAsync("files of answers: the same question, shown again, is not answered by a click before", async () => {
  const desk = new Desk();
  desk.drop("a.txt");
  desk.part(".option").click();
  desk.dialog.close();
  desk.show(question("a"));
  await desk.read("a.txt");
  equal(desk.sent, []);
});

testAsync("files of answers: two clicks are one answer, and a refusal of the question wins", async () => {
  const desk = new Desk();
  desk.drop("a.txt", "b.txt");
  desk.part(".option").click();
  desk.part(".option").click();
  await desk.read("a.txt");
  equal(desk.sent, [], "before all is read");
  await desk.read("b.txt");
  desk.part(".option").click();
  await turn();
  equal(desk.sent, ["a answer yes a.txt b.txt"]);

  const other = new Desk();
  other.drop("a.txt");
  other.part(".option").click();
  other.part(".decline").click();
  await other.read("a.txt");
  equal(other.sent, ["a decline"]);
});

testAsync("files of answers: nothing is sent without a file that is refused meanwhile", async () => {
  const desk = new Desk();
  desk.drop("a.txt", "b.txt");
  desk.part(".option").click();
  await desk.read("a.txt");
  await desk.read("b.txt", false);
  equal(desk.sent, []);
  equal(desk.part(".error").textContent, "b.txt cannot be read.");
  desk.part(".option").click();
  await turn();
  equal(desk.sent, ["a answer yes a.txt"], "what is sent when the person goes on without it");
});

/** given returns what is dropped or pasted: a picture, and a text if there is one. */
function given(text?: string): DataTransfer {
  const data = new DataTransfer();
  data.items.add(new File(["picture"], "image.png", { type: "image/png" }));
  if (text !== undefined) data.items.add(text, "text/plain");
  return data;
}

test("files of answers: text is pasted without the picture of it", () => {
  const desk = new Desk();
  const listed = (clipboardData: DataTransfer): number => {
    desk.part("form").dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData }));
    return desk.part(".added").childElementCount;
  };
  equal([listed(given("1\t2")), listed(given())], [0, 1]);
});

test("files of answers: a file that is dropped beside the form is not opened, nor added", () => {
  const desk = new Desk();
  for (const type of ["dragover", "drop"]) {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: given() });
    desk.part("header").dispatchEvent(event);
    equal(event.defaultPrevented, true, type);
  }
  equal(desk.part(".added").childElementCount, 0);
});
