// The types of the parts of xterm.js that the view uses. xterm.js is built separately (web/xterm)
// and loaded with the first terminal.

/** Disposable must be disposed of after use. */
export interface Disposable {
  dispose(): void;
}

/** Event registers a listener. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Colors are the palette of a terminal. */
export interface Colors {
  readonly foreground: string;
  readonly background: string;
  readonly cursor: string;
  readonly cursorAccent: string;
  readonly selectionBackground: string;
  readonly selectionForeground?: string;
  /** ansi are the 16 colours: black, red, green, yellow, blue, magenta, cyan, white, and bright. */
  readonly ansi: readonly string[];
}

/** Range is a part of the buffer; columns and rows count from 1. */
export interface Range {
  readonly start: { readonly x: number; readonly y: number };
  readonly end: { readonly x: number; readonly y: number };
}

/** BufferLine is a row. */
export interface BufferLine {
  readonly length: number;
  translateToString(trimRight?: boolean, startColumn?: number): string;
  getCell(x: number): { getWidth(): number; getChars(): string } | undefined;
}

/** XLink is a link that a provider has found. */
export interface XLink {
  readonly range: Range;
  readonly text: string;
  activate(event: MouseEvent, text: string): void;
}

/** Terminal is the part of xterm.js's class that the view uses. */
export interface Terminal {
  readonly cols: number;
  readonly rows: number;
  readonly element: HTMLElement | undefined;
  readonly textarea: HTMLTextAreaElement | undefined;
  readonly buffer: { readonly active: { readonly baseY: number; readonly cursorX: number; readonly cursorY: number; readonly length: number; getLine(y: number): BufferLine | undefined } };
  readonly modes: { readonly bracketedPasteMode: boolean; readonly mouseTrackingMode: "none" | "x10" | "vt200" | "drag" | "any" };
  readonly options: { fontSize?: number; fontFamily?: string; theme?: Record<string, string>; screenReaderMode?: boolean; minimumContrastRatio?: number; cursorBlink?: boolean; disableStdin?: boolean };
  readonly parser: {
    registerCsiHandler(id: { prefix?: string; final: string }, f: (params: (number | number[])[]) => boolean): Disposable;
  };
  readonly unicode: { activeVersion: string };
  readonly onData: Event<string>;
  readonly onBinary: Event<string>;
  readonly onTitleChange: Event<string>;
  readonly onRender: Event<{ start: number; end: number }>;
  open(parent: HTMLElement): void;
  loadAddon(addon: Addon): void;
  write(data: Uint8Array, done?: () => void): void;
  resize(cols: number, rows: number): void;
  paste(text: string): void;
  focus(): void;
  blur(): void;
  reset(): void;
  hasSelection(): boolean;
  getSelection(): string;
  clearSelection(): void;
  select(column: number, row: number, length: number): void;
  attachCustomKeyEventHandler(f: (event: KeyboardEvent) => boolean): void;
  registerLinkProvider(provider: { provideLinks(y: number, callback: (links: XLink[] | undefined) => void): void }): Disposable;
  dispose(): void;
}

/** Addon is an addon of xterm.js. */
export interface Addon extends Disposable {
  activate(terminal: Terminal): void;
}

/** WebglAddon draws with WebGL. */
export interface WebglAddon extends Addon {
  readonly onContextLoss: Event<void>;
}

/** XtermModule is ../../dist/xterm/xterm.js. */
export interface XtermModule {
  readonly Terminal: new (options: Record<string, unknown>) => Terminal;
  readonly UnicodeGraphemesAddon: new () => Addon;
  readonly css: string;
}

/** WebglModule is ../../dist/xterm/webgl.js. */
export interface WebglModule {
  readonly WebglAddon: new () => WebglAddon;
}

/** Xterm loads the parts of xterm.js. */
export interface Xterm {
  terminal(): Promise<XtermModule>;
  webgl(): Promise<WebglModule>;
}

/** xtermAt loads xterm.js from the folder at a URL, which ends in a slash. */
export function xtermAt(base: string): Xterm {
  return {
    terminal: () => import(`${base}xterm.js`) as Promise<XtermModule>,
    webgl: () => import(`${base}webgl.js`) as Promise<WebglModule>,
  };
}
