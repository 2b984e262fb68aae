// Scripts that the document has compressed, and runs when they are needed: gzip, as base64, in an
// element. The document's policy admits them by the hashes of their text.

import { bytesOf } from "./base64";

/**
 * run runs the script that is packed in the element with an id, and then ran, before anything that
 * the script has put off. It may be called once for each.
 */
export async function run(id: string, ran: () => void = () => {}): Promise<void> {
  const source = document.getElementById(id);
  const packed = new Blob([bytesOf(source?.textContent?.trim() ?? "")]);
  const script = document.createElement("script");
  script.text = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.head.append(script); // it runs now
  ran();
  script.remove();
  source?.remove();
}
