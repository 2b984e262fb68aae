import { stay } from "../src/chat/leaving";
import { equal, testAsync } from "./harness";

/** frame returns the window of a frame with a document of its own that stays, and what was followed. */
async function frame(html: string): Promise<{ inner: Window & typeof globalThis; followed: string[]; sent(): number }> {
  const element = document.createElement("iframe");
  element.srcdoc = html;
  const loaded = new Promise((resolve) => element.addEventListener("load", resolve, { once: true }));
  document.documentElement.append(element);
  await loaded;
  const inner = element.contentWindow as Window & typeof globalThis;
  const followed: string[] = [];
  let sent = 0;
  stay(inner, { page: () => "http://127.0.0.1:1234/1/", follow: (address) => followed.push(address), sent: () => sent++ });
  return { inner, followed, sent: () => sent };
}

testAsync("leaving: a script that navigates stays where it is", async () => {
  const { inner } = await frame("<p id=here>here</p>");
  const navigation = (inner as unknown as { navigation: EventTarget }).navigation;
  const tried = new Promise<boolean>((resolve) => navigation.addEventListener("navigate", (event) => resolve(event.defaultPrevented)));
  inner.location.href = "/elsewhere";
  equal(await tried, true, "whether it was prevented");
  equal(inner.document.getElementById("here")?.textContent, "here", "the document");
});

testAsync("leaving: links are relative to the page in the browser, and actions come first", async () => {
  const { inner, followed, sent } = await frame(
    "<a id=own href='a/b?c'>own</a><a id=acts href='https://example.org/'>acts</a><form action='/x'><button id=send></button></form><form><button id=plain></button></form><form><button id=sendto formaction='/y'></button></form><form method=dialog><button id=dialog></button></form>",
  );
  const element = (id: string): HTMLElement => inner.document.getElementById(id)!;
  element("acts").addEventListener("click", (event) => event.preventDefault());
  for (const id of ["own", "acts", "send", "plain", "sendto", "dialog"]) element(id).click();
  equal(followed, ["http://127.0.0.1:1234/1/a/b?c"], "what was followed");
  equal(sent(), 2, "forms with an address");
});

testAsync("leaving: the fields of a form are not its method, and windows are opened relative to the page, too", async () => {
  const { inner, followed, sent } = await frame(
    "<form action='/x' method=dialog><button id=dialog></button></form><form action='/x'><input name=method value=dialog><input name=action><button id=send></button></form>",
  );
  for (const id of ["dialog", "send"]) inner.document.getElementById(id)!.click();
  equal(sent(), 1, "forms with an address");
  inner.open("d");
  equal(followed, ["http://127.0.0.1:1234/1/d"], "what was followed");
});

testAsync("leaving: a link without a page to be relative to keeps its text", async () => {
  const element = document.createElement("iframe");
  document.documentElement.append(element);
  const inner = element.contentWindow as Window & typeof globalThis;
  const followed: string[] = [];
  stay(inner, { page: () => "", follow: (address) => followed.push(address), sent: () => {} });
  inner.document.body.innerHTML = "<a href='a/b'>a</a><a href='HTTPS://Example.org'>b</a>";
  for (const link of inner.document.links) link.click();
  equal(followed, ["a/b", "https://example.org/"]);
});
