// The size of a cell, which xterm.js measures only once it is open.

import type { Box } from "./data/fit";

const context = new OffscreenCanvas(10, 10).getContext("2d")!;

/** cell returns the size of a cell as xterm.js draws it. */
export function cell(family: string, font: number, webgl: boolean): Box {
  context.font = `${font}px ${family}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText("W");
  const ratio = devicePixelRatio;
  return {
    width: webgl ? Math.floor(width * ratio) / ratio : width,
    height: Math.ceil((fontBoundingBoxAscent + fontBoundingBoxDescent) * ratio) / ratio,
  };
}
