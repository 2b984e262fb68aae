// Bytes as base64, the form in which JSON can carry them. This file does not use the DOM.

const PIECE = 8192; // bytes; String.fromCharCode takes a limited number of arguments

export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

/** bytesOf decodes base64. It throws an error if the text is not base64. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
