// Messages of the server as sentences of a page.

/** sentenceOf returns a message that begins with a capital and ends with a full stop. */
export function sentenceOf(message: string): string {
  const end = /[.!?…]$/.test(message) ? "" : ".";
  return message.charAt(0).toUpperCase() + message.slice(1) + end;
}
