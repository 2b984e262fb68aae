// The style of the badge and the list of problems.

import { NOTICES } from "./notices.style";

export const STYLE = `${NOTICES}
:host {
  --danger: var(--ui-danger, light-dark(#b3261e, #ff9a92));
  --danger-soft: var(--ui-danger-soft, light-dark(#fdeceb, #43232a));
  --mono: var(--ui-mono, ui-monospace, Menlo, "Liberation Mono", monospace);
  inset: auto; z-index: 2147483646;
}
button { font: inherit; color: inherit; cursor: pointer; }

.badge, .panel {
  position: fixed; inset-block-end: 0.75rem; inset-inline-start: 0.75rem;
  border: 1px solid var(--line); background: var(--surface);
}

.badge {
  display: flex; align-items: center; gap: 0.4rem;
  min-inline-size: 1.75rem; block-size: 1.75rem; padding-inline: 0.55rem;
  border-radius: 999px; border-color: color-mix(in srgb, var(--danger) 45%, var(--line));
  color: var(--danger); font-weight: 600; font-size: 0.8125rem; font-variant-numeric: tabular-nums;
  box-shadow: 0 2px 10px rgb(0 0 0 / 0.12); opacity: 0.85;
}
.badge:hover, .badge:focus-visible { opacity: 1; background: var(--danger-soft); }
.badge::before { content: ""; inline-size: 0.5rem; block-size: 0.5rem; border-radius: 50%; background: currentColor; }

.panel {
  display: flex; flex-direction: column;
  inline-size: min(34rem, 100% - 1.5rem); max-block-size: min(26rem, 100% - 1.5rem);
  border-radius: 12px; box-shadow: 0 12px 40px rgb(0 0 0 / 0.28);
  overflow: hidden;
}
header {
  display: flex; align-items: center; gap: 0.5rem; padding: 0.6rem 0.6rem 0.6rem 1rem;
  border-block-end: 1px solid var(--line);
}
h2 { flex: 1; margin: 0; font-size: 0.9375rem; font-weight: 600; }
header button {
  min-block-size: 1.9rem; padding: 0.2rem 0.7rem; border: 1px solid var(--line); border-radius: 7px; background: none;
}
header button:hover { background: var(--sunken); }
.close { inline-size: 1.9rem; padding: 0; border-color: transparent; font-size: 1.1rem; line-height: 1; }

ol { margin: 0; padding: 0; list-style: none; overflow: auto; overscroll-behavior: contain; }
li { padding: 0.65rem 1rem; cursor: default; }
li + li { border-block-start: 1px solid var(--line); }
li:hover, li:focus-visible { background: var(--sunken); }
li:focus-visible { outline-offset: -2px; }
.message { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.location, .source {
  display: block; margin-block-start: 0.2rem; color: var(--muted);
  font: 0.78125rem/1.45 var(--mono); overflow-wrap: anywhere;
}
.source { color: var(--text); white-space: pre-wrap; }

.outline {
  position: fixed; pointer-events: none; border: 2px solid var(--danger); border-radius: 4px;
  background: color-mix(in srgb, var(--danger) 12%, transparent);
}`;
