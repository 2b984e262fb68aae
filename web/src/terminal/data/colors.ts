// Colours of text as rows of HTML, so that they look as xterm.js draws them. This file does not use
// the DOM.

/** RGB is a colour: red, green and blue from 0 to 255. */
export type RGB = readonly [number, number, number];

/** parseColor reads "#rrggbb" or "rgb(r g b)". */
export function parseColor(text: string): RGB {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex !== null) return [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16), parseInt(hex[3]!, 16)];
  const rgb = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(text);
  if (rgb !== null) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])];
  throw new Error(`${text} is no colour`);
}

/** printColor is the inverse of parseColor. */
export function printColor([r, g, b]: RGB): string {
  return `rgb(${r} ${g} ${b})`;
}

/** extended returns a colour of the palette from 16 on: a cube, and a scale of grey. */
export function extended(color: number): RGB {
  if (color >= 232) {
    const grey = 8 + 10 * (color - 232);
    return [grey, grey, grey];
  }
  const level = (n: number): number => (n === 0 ? 0 : 55 + 40 * n);
  const n = color - 16;
  return [level(Math.floor(n / 36)), level(Math.floor(n / 6) % 6), level(n % 6)];
}

/** luminance returns the relative luminance of a colour, as WCAG defines it. */
function luminance(color: RGB): number {
  const [r, g, b] = color.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** contrast returns the ratio of the luminances of two colours, from 1 to 21. */
export function contrast(a: RGB, b: RGB): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/**
 * legible returns a colour for text that has at least that contrast with its background, or the most
 * that there is. Like xterm.js it takes steps of a tenth: first away from the background, and if
 * that is not enough, the other way, if that leads further.
 */
export function legible(text: RGB, back: RGB, least: number): RGB {
  if (contrast(text, back) >= least) return text;
  const dark = luminance(text) < luminance(back);
  const first = toward(dark ? 0 : 255, text, back, least);
  if (contrast(first, back) >= least) return first;
  const second = toward(dark ? 255 : 0, text, back, least);
  return contrast(first, back) > contrast(second, back) ? first : second;
}

/** toward moves a colour to black (0) or white (255) until it has the contrast. */
function toward(end: 0 | 255, color: RGB, back: RGB, least: number): RGB {
  const step = (v: number): number => (end === 0 ? v - Math.ceil(v * 0.1) : v + Math.ceil((255 - v) * 0.1));
  while (contrast(color, back) < least && color.some((v) => v !== end)) color = [step(color[0]), step(color[1]), step(color[2])];
  return color;
}
