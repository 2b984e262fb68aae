// Scripts that the document has in compressed form (gzip as base64, in an element) and runs when
// they are needed. The document's policy admits them by the hashes of their text.

import { bytesOf } from "../data/base64";

/**
 * run runs the script that is packed in the element with an id, and then ran, before any task that
 * the script has queued. It may be called once for each script.
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
