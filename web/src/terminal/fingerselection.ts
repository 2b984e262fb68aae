// Selecting text with a finger, which xterm.js leaves to its mouse.

import type { Terminal } from "./xterm";

/** FingerSelection selects whole words of a terminal from where a finger has begun. */
export class FingerSelection {
  readonly #terminal: () => Terminal | undefined;
  #word: { readonly from: number; readonly to: number } | undefined; // cells of the word at which a finger has begun

  /** terminal returns the terminal, once it is loaded. */
  constructor(terminal: () => Terminal | undefined) {
    this.#terminal = terminal;
  }

  /** begin selects the word at a point of the window. */
  begin(x: number, y: number): void {
    const terminal = this.#terminal();
    const cell = terminal === undefined ? undefined : cellAt(terminal, x, y);
    if (terminal === undefined || cell === undefined) return;
    const { cols } = terminal;
    const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + cell.row);
    const isText = (c: number): boolean => c >= 0 && c < cols && (line?.getCell(c)?.getWidth() === 0 || (line?.getCell(c)?.getChars() ?? "").trim() !== "");
    let [from, to] = [cell.col, cell.col];
    while (isText(cell.col) && isText(from - 1)) from--;
    while (isText(cell.col) && isText(to + 1)) to++;
    this.#word = { from: cell.row * cols + from, to: cell.row * cols + to + 1 };
    this.extend(x, y);
  }

  /** extend selects from that word to a point of the window. */
  extend(x: number, y: number): void {
    const terminal = this.#terminal();
    const cell = terminal === undefined ? undefined : cellAt(terminal, x, y);
    if (terminal === undefined || cell === undefined || this.#word === undefined) return;
    const { cols } = terminal;
    const at = cell.row * cols + cell.col;
    const from = Math.min(at, this.#word.from);
    terminal.select(from % cols, terminal.buffer.active.baseY + Math.floor(from / cols), Math.max(at + 1, this.#word.to) - from);
  }

  /** clear removes the selection, and reports whether a finger has made one. */
  clear(): boolean {
    if (this.#word === undefined) return false;
    this.#word = undefined;
    this.#terminal()?.clearSelection();
    return true;
  }
}

/** cellAt returns the cell nearest to a point of the window; undefined before the first drawing. */
function cellAt(terminal: Terminal, x: number, y: number): { readonly col: number; readonly row: number } | undefined {
  const drawn = terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect();
  if (drawn === undefined) return undefined;
  const within = (part: number, n: number): number => Math.max(0, Math.min(n - 1, Math.floor(part * n)));
  return { col: within((x - drawn.left) / drawn.width, terminal.cols), row: within((y - drawn.top) / drawn.height, terminal.rows) };
}
