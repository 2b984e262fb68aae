// The contrast of texts, by the formulas of WCAG 2.

import { parentOf } from "../dom/viewport";
import { contrast } from "../terminal/data/colors";

/** A Colour has red, green and blue from 0 to 255, and alpha from 0 to 1. */
type Colour = readonly [number, number, number, number];

const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const known = new Map<string, Colour>();

/** colourOf reads any colour of CSS, as the browser draws it. */
function colourOf(css: string): Colour {
  const seen = known.get(css);
  if (seen !== undefined || canvas === null) return seen ?? [0, 0, 0, 1];
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = css;
  canvas.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 255] = canvas.getImageData(0, 0, 1, 1).data;
  const colour: Colour = [r, g, b, a / 255];
  known.set(css, colour);
  return colour;
}

/** over returns what a colour looks like above another one. */
function over([r, g, b, a]: Colour, [r2, g2, b2, a2]: Colour): Colour {
  const all = a + a2 * (1 - a);
  if (all === 0) return [0, 0, 0, 0];
  const mix = (x: number, y: number): number => (x * a + y * a2 * (1 - a)) / all;
  return [mix(r, r2), mix(g, g2), mix(b, b2), all];
}

/** paper returns the colour of a page without any. */
function paper(): Colour {
  const probe = document.createElement("i");
  probe.style.cssText = "display: none; color: Canvas";
  document.body.append(probe);
  const colour = colourOf(getComputedStyle(probe).color);
  probe.remove();
  return colour;
}

/**
 * ratioOf returns the contrast of a text with what is behind it; undefined where that cannot be
 * known: above pictures and gradients, and where the element is placed above others.
 */
export function ratioOf(element: Element): number | undefined {
  const style = getComputedStyle(element);
  if (style.getPropertyValue("background-clip") === "text") return undefined;
  let ink = colourOf(style.color);
  let behind: Colour = [0, 0, 0, 0];
  let opacity = 1;
  for (let at: Element | null = element; behind[3] < 0.999; at = parentOf(at)) {
    if (at === null) {
      behind = over(behind, paper());
      break;
    }
    const s = getComputedStyle(at);
    if (s.backgroundImage !== "none" || s.filter !== "none" || s.mixBlendMode !== "normal" || s.backdropFilter !== "none" && s.backdropFilter !== "") return undefined;
    behind = over(behind, colourOf(s.backgroundColor));
    opacity *= Number(s.opacity);
    if (behind[3] < 0.999 && (s.position === "absolute" || s.position === "fixed" || s.position === "sticky")) return undefined;
  }
  ink = [ink[0], ink[1], ink[2], ink[3] * opacity];
  const [[r, g, b], [r2, g2, b2]] = [over(ink, behind), behind];
  return contrast([r, g, b], [r2, g2, b2]);
}
