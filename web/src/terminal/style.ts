// The style of terminal views, for documents and shadow roots.

import { palettes } from "./palettes";

const CSS = `
.terminal-view { position: relative; overflow: hidden; width: 100%; height: 100%; background: var(--terminal-background); color: var(--terminal-foreground); outline: none; contain: strict; font: 13px/1.4 system-ui, sans-serif }
.terminal-view:focus-visible { outline: 2px solid var(--terminal-cursor); outline-offset: -2px }
.terminal-screen { position: absolute; inset: 0; overflow: hidden; display: flex; flex-direction: column }
.terminal-screen.terminal-pans { overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--terminal-cursor) transparent }
.terminal-pans > .xterm { flex: none; width: max-content; min-width: 100% }
.terminal-notice { position: absolute; inset: auto 8px 8px 8px; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 6px 10px; border: 1px solid var(--terminal-cursor); border-radius: 6px; background: var(--terminal-background); z-index: 20 }
.terminal-notice[hidden] { display: none }
.terminal-notice span { flex: 1 1 auto }
.terminal-view button { font: inherit; min-height: 28px; padding: 2px 12px; border: 1px solid currentColor; border-radius: 5px; background: transparent; color: inherit; cursor: pointer }
.terminal-view button:focus-visible { outline: 2px solid var(--terminal-cursor); outline-offset: 1px }
.terminal-view button.terminal-yes { background: var(--terminal-cursor); border-color: var(--terminal-cursor); color: var(--terminal-background) }
.terminal-confirm { max-width: min(60ch, 90vw); max-height: 80vh; padding: 16px; border: 1px solid var(--terminal-cursor); border-radius: 8px; background: var(--terminal-background); color: var(--terminal-foreground) }
.terminal-confirm::backdrop { background: rgb(0 0 0 / 45%) }
.terminal-confirm h2 { margin: 0 0 8px; font-size: 15px }
.terminal-confirm pre { margin: 0 0 12px; max-height: 50vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace }
.terminal-confirm div { display: flex; justify-content: flex-end; gap: 8px }
.terminal-history { position: absolute; inset: 0; z-index: 10 }
.terminal-history-lines { position: absolute; inset: 0; overflow: auto; overflow-anchor: none; overscroll-behavior: contain; outline: none; cursor: text; scrollbar-color: var(--terminal-cursor) transparent; box-shadow: inset 0 0 0 1px var(--terminal-cursor) }
.terminal-history-lines > div { position: relative; min-width: max-content }
.terminal-history-rows { position: absolute; left: 0; right: 0; min-width: max-content; white-space: pre; font-variant-ligatures: none }
.terminal-history-rows ::selection { background: var(--terminal-selection); color: var(--terminal-selected) }
.terminal-history-mark { box-shadow: inset 3px 0 var(--terminal-cursor) }
.terminal-history [data-link] { text-decoration: underline; cursor: pointer }
.terminal-history mark { background: var(--terminal-selection); color: var(--terminal-selected) }
.terminal-history mark.terminal-current { background: var(--terminal-cursor); color: var(--terminal-background) }
.terminal-search { position: absolute; inset: 6px 18px auto auto; display: flex; flex-wrap: wrap; gap: 6px; align-items: center; max-width: calc(100% - 24px); padding: 6px 8px; border: 1px solid var(--terminal-cursor); border-radius: 6px; background: var(--terminal-background) }
.terminal-search[hidden] { display: none }
.terminal-search input[type=search] { font: inherit; width: 18ch; min-height: 28px; padding: 2px 6px; border: 1px solid currentColor; border-radius: 4px; background: transparent; color: inherit }
.terminal-search [role=status] { min-width: 8ch }
@media (pointer: coarse) { .terminal-view button { min-height: 40px } }
`;

const roots = new WeakMap<Node, Set<string>>();

/** adopt gives a document or shadow root a style sheet, once. */
export function adopt(node: Node, css: string): void {
  const root = node.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  const has = roots.get(root) ?? new Set();
  roots.set(root, has);
  if (has.has(css)) return;
  has.add(css);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
}

/** adoptViewStyle gives the root of a node the style of views. */
export function adoptViewStyle(node: Node): void {
  adopt(node, CSS);
}

/** setColors sets the properties that the style uses. */
export function setColors(element: HTMLElement, name: keyof typeof palettes): void {
  const { foreground, background, cursor, selectionBackground, selectionForeground } = palettes[name];
  element.style.setProperty("--terminal-foreground", foreground);
  element.style.setProperty("--terminal-background", background);
  element.style.setProperty("--terminal-cursor", cursor);
  element.style.setProperty("--terminal-selection", selectionBackground);
  element.style.setProperty("--terminal-selected", selectionForeground ?? foreground);
}
