// The style of terminal views, for documents and shadow roots.

import { adopt } from "../elements";
import { COLORS } from "../popup/colors";
import { palettes } from "./palettes";

const CSS = `
.terminal-view { position: relative; overflow: hidden; width: 100%; height: 100%; background: var(--terminal-background); color: var(--terminal-foreground); outline: none; contain: strict; font: 13px/1.4 system-ui, sans-serif }
.terminal-view:focus-visible { outline: 2px solid var(--terminal-cursor); outline-offset: -2px }
.terminal-screen { position: absolute; inset: 0; overflow: hidden; display: flex; flex-direction: column }
.terminal-screen.terminal-pans { overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: color-mix(in srgb, var(--terminal-foreground) 40%, transparent) transparent }
.terminal-pans > .xterm { flex: none; width: max-content; min-width: 100%; overflow: clip }
.terminal-screen .xterm-rows > div { overflow: clip !important; overflow-clip-margin: 2px } /* some fonts draw an underscore below their line, which xterm.js cuts off */
.terminal-notice { position: absolute; inset: auto 8px 8px 8px; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 6px 10px; border: 1px solid var(--terminal-cursor); border-radius: 6px; background: var(--terminal-background); z-index: 20 }
.terminal-notice[hidden] { display: none }
.terminal-notice span { flex: 1 1 auto }
.terminal-view button { font: inherit; min-height: 28px; padding: 2px 12px; border: 1px solid currentColor; border-radius: 5px; background: transparent; color: inherit; cursor: pointer }
.terminal-view button:focus-visible { outline: 2px solid var(--terminal-cursor); outline-offset: 1px }
.terminal-confirm {${COLORS}color-scheme: var(--terminal-scheme); max-width: min(34rem, 100vw - 1.5rem); max-height: calc(100vh - 1.5rem); padding: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 16px; background: var(--surface); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; box-shadow: 0 24px 70px rgb(0 0 0 / 35%) }
.terminal-confirm[open] { display: flex; flex-direction: column }
.terminal-confirm::backdrop { background: rgb(10 12 24 / 45%) }
.terminal-confirm h2 { flex: none; margin: 0; padding: 1rem 1.25rem 0.25rem; font-size: 1.125rem; line-height: 1.35; font-weight: 650 }
.terminal-confirm-body { flex: 0 1 auto; min-height: 0; overflow: auto; padding: 0.25rem 1.25rem 0.5rem }
.terminal-confirm p { margin: 0.5rem 0; white-space: pre-line }
.terminal-confirm pre { margin: 0.5rem 0; padding: 0.7rem 0.9rem; border-radius: 9px; background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; font: 0.875rem/1.5 var(--mono) }
.terminal-confirm footer { flex: none; display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.5rem; padding: 0.6rem 1.25rem 1rem }
.terminal-view .terminal-confirm button { min-height: 2.5rem; padding: 0.4rem 1.1rem; border: 0; border-radius: 11px; background: none; color: var(--muted) }
.terminal-view .terminal-confirm button:hover { background: var(--sunken); color: var(--text) }
.terminal-view .terminal-confirm button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.terminal-view .terminal-confirm button.terminal-yes { background: var(--accent); color: var(--on-accent); font-weight: 600 }
.terminal-view .terminal-confirm button.terminal-yes:hover { background: var(--accent); color: var(--on-accent); filter: brightness(1.08) }
.terminal-history { position: absolute; inset: 0; z-index: 10 }
.terminal-history-lines { position: absolute; inset: 0; overflow: auto; overflow-anchor: none; overscroll-behavior: contain; outline: none; cursor: text; scrollbar-color: var(--terminal-cursor) transparent; box-shadow: inset 0 0 0 1px var(--terminal-cursor) }
.terminal-history-lines > div { position: relative; min-width: max-content }
.terminal-history-rows { position: absolute; left: 0; right: 0; min-width: max-content; white-space: pre; font-variant-ligatures: none }
.terminal-history-rows ::selection { background: var(--terminal-selection); color: var(--terminal-selected) }
.terminal-history-mark { box-shadow: inset 3px 0 var(--terminal-cursor) }
.terminal-history [data-link] { text-decoration: underline; cursor: pointer }
.terminal-history mark { background: var(--terminal-selection); color: var(--terminal-selected) }
.terminal-history mark.terminal-current { background: var(--terminal-cursor); color: var(--terminal-background) }
.terminal-search { position: absolute; inset: 4px 18px auto auto; display: flex; gap: 4px; align-items: center; max-width: calc(100% - 22px); box-sizing: border-box; padding: 3px; border: 1px solid var(--terminal-cursor); border-radius: 6px; background: var(--terminal-background); white-space: nowrap }
.terminal-search[hidden] { display: none }
.terminal-search input[type=search] { font: inherit; flex: 0 1 auto; width: 24ch; min-width: 6ch; min-height: 28px; box-sizing: border-box; padding: 2px 6px; border: 1px solid currentColor; border-radius: 4px; background: transparent; color: inherit }
.terminal-search [role=status] { flex: none; min-width: 8ch; padding-inline: 4px; text-align: end; font-variant-numeric: tabular-nums }
.terminal-search [role=status]:empty { min-width: 0; padding: 0 }
.terminal-search label { flex: none; display: flex; align-items: center; justify-content: center; gap: 4px; min-width: 28px; min-height: 28px }
.terminal-search label input { margin: 0 }
.terminal-search button { flex: none; min-width: 28px; padding: 2px 4px }
@media (pointer: coarse) { .terminal-view button { min-height: 40px } .terminal-search :is(button, label) { min-width: 40px; min-height: 40px } }
`;

/** adoptViewStyle gives the root of a node the style of views. */
export function adoptViewStyle(node: Node): void {
  adopt(node, CSS);
}

/** setColors sets the properties that the style uses. */
export function setColors(element: HTMLElement, name: keyof typeof palettes): void {
  const { foreground, background, cursor, selectionBackground, selectionForeground } = palettes[name];
  const properties = {
    scheme: name === "light" ? "light" : "dark", foreground, background, cursor, selection: selectionBackground, selected: selectionForeground ?? foreground,
  };
  for (const [property, value] of Object.entries(properties)) element.style.setProperty(`--terminal-${property}`, value);
}
