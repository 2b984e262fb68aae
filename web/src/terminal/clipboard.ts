// Copies text, also in pages to which browsers give no clipboard: those of plain HTTP from another
// machine.

/**
 * copyText copies a text because of something that the person has just done. It fails with a
 * sentence for the person if the browser does not allow it.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyByCommand(text)) throw new Error("The browser does not let this page copy.");
  }
}

/** copyByCommand copies as the browser's own menu does, and reports whether that worked. */
function copyByCommand(text: string): boolean {
  let copied = false;
  const ends = new AbortController();
  document.addEventListener("copy", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation(); // others would copy what is selected
    event.clipboardData?.setData("text/plain", text);
    copied = true;
  }, { capture: true, signal: ends.signal });
  try {
    return document.execCommand("copy") && copied;
  } finally {
    ends.abort();
  }
}
