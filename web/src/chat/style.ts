// The style of a view in a conversation. The host's variables, where it has them, replace the
// colours and fonts of pages.

export const STYLE = `
:root {
  --ui-bg: var(--color-background-primary, light-dark(#ffffff, #1d1f28));
  --ui-surface: var(--color-background-primary, light-dark(#ffffff, #1d1f28));
  --ui-sunken: var(--color-background-secondary, light-dark(#eceef4, #262935));
  --ui-text: var(--color-text-primary, light-dark(#1b1d28, #eceef6));
  --ui-muted: var(--color-text-secondary, light-dark(#5d6273, #a0a6ba));
  --ui-font: var(--font-sans, system-ui, sans-serif);
  --ui-mono: var(--font-mono, ui-monospace, monospace);
}
html, body { min-height: 0; }
body { overflow-wrap: anywhere; }
.ui-chat { display: flow-root; --ui-backdrop: transparent; --ui-dialog-shadow: 0 2px 12px rgb(0 0 0 / 0.12); }
:root[data-display="fullscreen"] .ui-chat { min-height: 100vh; }
.ui-chat > [ui-app] { padding: 0 0.75rem 0.75rem; }
.ui-chat main, .ui-chat main.mcp-shell { padding: 0.75rem 0 0; }
.ui-chat .mcp-head { padding-inline: 0; }
.ui-chat .mcp-menu { inset-inline-start: 0; }
:root[data-ui-view="failed"] .ui-connection { display: none; }
.ui-chat:has(> ui-popup[data-state="dialog"]) { min-height: 28rem; }
:root:has(.ui-chat > ui-popup[data-state="dialog"]) { overflow: hidden; } /* what scrolls is the question */
.ui-chat-terminal { height: var(--rows-height, 20rem); overflow: hidden; margin: 0 0.5rem 0.5rem; border-radius: 6px; }
:root[data-display="fullscreen"] .ui-chat:has(> .ui-chat-terminal) { display: flex; flex-direction: column; height: 100vh; }
:root[data-display="fullscreen"] .ui-chat-terminal { flex: 1; min-height: 0; height: auto; }
.ui-chat-bar {
  flex: none; display: flex; flex-wrap: wrap; justify-content: flex-end; align-items: center; gap: 0.25rem 0.125rem;
  min-height: 2.25rem; padding: 0.25rem 0.5rem; font: 0.8125rem/1.4 var(--ui-font); color: var(--ui-muted);
}
.ui-chat-bar p { flex: 1 1 12rem; margin: 0; white-space: pre-line; }
.ui-chat-bar p:empty { flex-basis: 0; }
.ui-chat-bar button {
  min-height: 0; padding: 0.2rem 0.4rem; border: 1px solid transparent; border-radius: 6px;
  background: none; color: inherit; font: inherit; cursor: pointer;
}
.ui-chat-bar button:hover { border-color: currentColor; }
.ui-chat-bar input { flex: 1 1 100%; min-width: 0; font: inherit; }
.ui-chat-bar [hidden] { display: none; }
@media (max-width: 480px) {
  .ui-chat:has(> ui-popup[data-state="dialog"]) { min-height: 34rem; } /* texts wrap */
}
@media (max-width: 340px) {
  .ui-chat-bar { font-size: 0.75rem; padding-inline: 0.25rem; }
  .ui-chat-bar button { padding-inline: 0.3rem; }
}
`;
