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
.card table { overflow-wrap: break-word; } /* it scrolls */
.ui-chat { display: flow-root; min-height: var(--question-height, 0); }
:root[data-display="fullscreen"] .ui-chat { min-height: 100vh; }
.ui-chat > [ui-app] { padding: 0 0.75rem 0.75rem; }
.ui-chat main, .ui-chat main.mcp-shell { padding: 0.75rem 0 0; }
:root[data-ui-view="failed"] .ui-connection { display: none; }
:root:has(.ui-chat > ui-popup[data-state="dialog"], .ui-chat-terminal) { overflow: hidden; } /* the question scrolls, or the terminal */

/* What there is to say, and one row of buttons. */
.ui-chat-bar { display: flex; flex-wrap: wrap; align-items: center; column-gap: 0.5rem; font: 0.8125rem/1.4 var(--ui-font); color: var(--ui-muted); }
.ui-chat-bar > p { flex: 1 1 100%; margin: 0; white-space: pre-line; }
.ui-chat-bar > p:not(:empty) { padding: 0.625rem 0.75rem 0.5rem; }
.ui-chat-bar > button { min-height: 2rem; margin: 0 0 0.5rem 0.75rem; padding: 0.2rem 0.75rem; font: inherit; }
.ui-chat-bar > input { flex: 1 1 10rem; min-width: 0; min-height: 2rem; margin: 0 0.75rem 0.5rem; font: inherit; }
.ui-chat-bar > .ui-chat-tools { flex: 1 1 100%; }
.ui-chat-tools { display: flex; align-items: center; justify-content: flex-end; color: var(--ui-muted); }
.ui-chat-bar > .ui-chat-tools { min-height: 2.75rem; padding-inline: 0.75rem 0.375rem; }
.ui-chat-title { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ui-chat-tools button {
  flex: none; display: flex; align-items: center; justify-content: center; gap: 0.375rem; min-width: 2.25rem; min-height: 2.25rem; padding: 0 0.25rem;
  border: 0; border-radius: 9px; background: none; color: inherit; font: 0.8125rem/1.4 var(--ui-font);
}
.ui-chat-tools button:hover { background: var(--ui-sunken); color: var(--ui-text); }
.ui-chat-tools svg { flex: none; width: 1.125rem; height: 1.125rem; }
.ui-chat-tools button:not(.ui-chat-type) span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.ui-chat-tools .ui-chat-type { padding-inline: 0.5rem 0.625rem; }

/* The bar of the page's shell and that of the view are one. */
.ui-chat:has(> [ui-app] .mcp-head) > .ui-chat-bar > .ui-chat-tools { position: relative; z-index: 1; height: 2.75rem; margin-block-end: -2.75rem; pointer-events: none; }
.ui-chat-tools > * { pointer-events: auto; }
.ui-chat .mcp-head { min-height: 2.75rem; margin-inline: -0.75rem; padding-block: 0; padding-inline: 0.375rem 2.75rem; }
.ui-chat:has(.ui-chat-full:not([hidden])) .mcp-head { padding-inline-end: 5rem; }
.ui-chat .mcp-menu { inset-inline-start: 0; }

/* The host has drawn a frame already. Rules of apps come before these. */
@layer ui {
  @media (max-width: 480px) {
    .ui-chat .card:not([style*="background"]) {
      padding-block: 1rem; padding-inline: 0; border-width: 1px 0 0; border-radius: 0; background: none; box-shadow: none;
    }
  }
}

.ui-chat-terminal { height: var(--height, 20rem); margin: 0 0.5rem var(--rest, 0); overflow: hidden; }
:root[data-display="fullscreen"] .ui-chat:has(> .ui-chat-terminal) { display: flex; flex-direction: column; height: 100vh; }
:root[data-display="fullscreen"] .ui-chat-terminal { flex: 1; min-height: 0; height: auto; margin-block: 0; }
.ui-chat:has(> .ui-chat-terminal) { background: var(--terminal-background); }
.ui-chat:has(> .ui-chat-terminal) .ui-chat-tools { color: color-mix(in srgb, var(--terminal-foreground) 75%, var(--terminal-background)); }
.ui-chat-failure { margin: 0 0.75rem 0.75rem; padding: 0.75rem 0.875rem; border-inline-start: 3px solid var(--ui-danger); background: var(--ui-danger-soft); }
.ui-chat-failure pre { margin: 0.375rem 0 0; padding: 0; background: none; white-space: pre-wrap; }
.ui-chat .mcp-agent:not(.on) { display: none; } /* the agent has just spoken */
`;
