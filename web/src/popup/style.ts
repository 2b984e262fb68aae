// The style of the questions, which nothing of the app can change.

import { COLORS } from "./colors";

export const STYLE = `
:host {
  ${COLORS}
  --shade: light-dark(rgb(20 22 42 / 0.16), rgb(0 0 0 / 0.55));
  --pad: 1.25rem;
  --mono: ui-monospace, Menlo, "Liberation Mono", monospace;
  all: initial; color-scheme: inherit; color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, input, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

dialog {
  inline-size: min(34rem, 100vw - 1.5rem); max-block-size: min(44rem, 100dvh - 1.5rem);
  margin: auto; padding: 0; overflow: hidden;
  border: 1px solid var(--line); border-radius: 16px; background: var(--surface); color: var(--text);
  box-shadow: 0 24px 70px rgb(0 0 0 / 0.35);
}
dialog[open] { display: flex; flex-direction: column; }
dialog:focus { outline: none; }
dialog::backdrop { background: rgb(10 12 24 / 0.45); }
dialog.warning { border-block-start: 4px solid var(--warning); }
dialog.danger { border-block-start: 4px solid var(--danger); }

/* In a conversation, the question is the frame's content, which gets as high as it. */
:host([data-fills]) dialog {
  inline-size: 100%; max-inline-size: none; max-block-size: 100dvh; margin: 0 0 auto;
  border-inline-width: 0; border-block-end-width: 0; border-radius: 0; box-shadow: 0 2px 16px rgb(0 0 0 / 0.16);
}
:host([data-fills]) dialog:not(.warning, .danger) { border-width: 0; }
:host([data-fills]) dialog::backdrop { background: color-mix(in srgb, var(--surface) 75%, transparent); }

header { display: flex; align-items: flex-start; gap: 0.25rem; padding: 1rem 0.75rem 0 1.25rem; }
h2 { flex: 1; margin: 0.2rem 0 0; font-size: 1.125rem; line-height: 1.35; font-weight: 650; overflow-wrap: anywhere; }
.warning h2::before, .danger h2::before { content: "⚠\\FE0E"; margin-inline-end: 0.45rem; color: var(--warning); }
.danger h2::before { color: var(--danger); }
.tool {
  flex: none; min-inline-size: 2.25rem; block-size: 2.25rem; padding: 0 0.5rem;
  border: 0; border-radius: 9px; background: none; color: var(--muted); font-size: 0.8125rem; line-height: 1;
}
.tool svg { display: block; margin: auto; inline-size: 1.125rem; block-size: 1.125rem; }
.tool:hover, .tool[aria-pressed=true] { background: var(--sunken); color: var(--text); }

.body { flex: 1; display: flex; flex-direction: column; min-block-size: 0; overflow: auto; overscroll-behavior: contain; padding: 0.5rem var(--pad) 0.25rem; }
.body > * { flex: none; }
.reading { display: flow-root; margin-inline: calc(-1 * var(--pad)); padding-inline: var(--pad); }
.pinned .body { overflow: hidden; }
.pinned .reading { flex: 0 1 auto; min-block-size: 0; overflow: auto; overscroll-behavior: contain; }
.body::before, .body::after, .reading::before, .reading::after {
  content: ""; display: none; flex: none; position: sticky; z-index: 1; block-size: 1rem; margin-inline: calc(-1 * var(--pad)); pointer-events: none;
}
.cut-above::before { display: block; inset-block-start: 0; margin-block-end: -1rem; background: linear-gradient(var(--shade), transparent); }
.cut-below::after { display: block; inset-block-end: 0; margin-block-start: -1rem; background: linear-gradient(transparent, var(--shade)); }
.body.cut-above::before { inset-block-start: -0.5rem; }
.body.cut-below::after { inset-block-end: -0.25rem; }
.message { overflow-wrap: anywhere; }
.message p { white-space: pre-line; margin: 0.5rem 0; }
.message h1, .message h2, .message h3, .message h4, .message h5, .message h6 { font-size: 1rem; margin: 0.9rem 0 0.3rem; }
.message pre { padding: 0.7rem 0.9rem; border-radius: 9px; background: var(--sunken); overflow: auto; white-space: pre-wrap; }
.message code { font: 0.875em/1.5 var(--mono); }
.message :not(pre) > code { padding: 0.1em 0.3em; border-radius: 5px; background: var(--sunken); }
.message ul, .message ol { margin: 0.4rem 0; padding-inline-start: 1.4rem; }
.message blockquote { margin: 0.5rem 0; padding-inline-start: 0.9rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.message table { border-collapse: collapse; display: block; overflow: auto; overflow-wrap: break-word; }
.message th, .message td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: start; }
.message a { color: var(--accent); }
.images { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-block: 0.5rem; }
.images img { max-inline-size: 100%; max-block-size: 18rem; border-radius: 9px; border: 1px solid var(--line); }

.options { margin: 0.75rem 0; display: grid; gap: 0.5rem; }
.option {
  display: flex; align-items: center; gap: 0.75rem; inline-size: 100%; min-block-size: 2.875rem; padding: 0.55rem 0.9rem;
  border: 1px solid var(--line); border-radius: 11px; background: var(--surface); text-align: start; cursor: pointer;
}
.option:hover, .option:focus-visible, .option:focus-within { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 8%, var(--surface)); }
.option.default { border-color: var(--accent); }
.option input { inline-size: 1.1rem; block-size: 1.1rem; margin: 0; accent-color: var(--accent); }
.words { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
.label { display: block; font-weight: 550; }
.description { display: block; color: var(--muted); font-size: 0.875rem; }
.digit {
  min-inline-size: 1.5rem; padding: 0.05rem 0.35rem; border: 1px solid var(--line); border-radius: 6px;
  color: var(--muted); font: 0.75rem/1.5 var(--mono); text-align: center;
}
.digit:empty { display: none; }
.text {
  display: block; inline-size: 100%; margin-block: 0.75rem; padding: 0.6rem 0.8rem; resize: vertical; field-sizing: content; min-block-size: 2.75rem; max-block-size: 14rem;
  border: 1px solid var(--line); border-radius: 11px; background: var(--sunken);
}
.text::placeholder { color: var(--muted); opacity: 1; }
.added { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; padding: 0; list-style: none; }
.added li {
  display: flex; align-items: center; gap: 0.5rem; min-inline-size: 0; max-inline-size: 100%; padding: 0.2rem 0.3rem 0.2rem 0.7rem;
  border: 1px solid var(--line); border-radius: 9px; font-size: 0.875rem; overflow-wrap: anywhere;
}
.added img { inline-size: 2.5rem; block-size: 2.5rem; margin-inline-start: -0.4rem; border-radius: 6px; object-fit: cover; }
.files .choose { margin-block: 0.5rem; padding-inline: 0.9rem; border: 1px dashed var(--line); font-size: 0.875rem; }
.files .choose[hidden] { display: none; }
.error { margin: 0; color: var(--danger); font-size: 0.875rem; }
.error:empty { display: none; }
.send {
  min-block-size: 2.5rem; padding: 0.4rem 1.4rem; border: 0; border-radius: 11px;
  background: var(--accent); color: var(--on-accent); font-weight: 600;
}
.send:hover { filter: brightness(1.08); }
dialog:not(.settled) :is(.form, .sending) { opacity: 0.55; }
.form, .sending { transition: opacity 0.15s; }
.sending:empty { display: none; }
.covered, .over { margin: 0.75rem 0; padding: 0.6rem 0.8rem; border-radius: 9px; background: var(--sunken); font-size: 0.875rem; }
.covered a { color: var(--accent); }
.busy { opacity: 0.6; pointer-events: none; }

footer {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; padding: 0.6rem var(--pad) 0.8rem;
  color: var(--muted); font-size: 0.8125rem;
}
.facts { flex: 1 1 11rem; display: flex; gap: 0.75rem; min-inline-size: 0; }
.acts { flex: none; display: flex; align-items: center; gap: 0.75rem; margin-inline-start: auto; }
.meta, .left { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.meta { flex: 1 1 5rem; }
.left { flex: 0 1 auto; font-variant-numeric: tabular-nums; }
.quiet { min-block-size: 2rem; padding: 0.2rem 0.6rem; border: 0; border-radius: 8px; background: none; color: var(--muted); }
.quiet:hover { background: var(--sunken); color: var(--text); }

.corner {
  position: fixed; inset: auto 0 0 auto; z-index: 2147483647; margin: 0; padding: 1.5rem 0.75rem 0.75rem 1.5rem; border: 0; background: none; overflow: visible;
  display: none; flex-direction: column; align-items: flex-end; gap: 0.5rem; inline-size: max-content; max-inline-size: min(24rem, 100vw); color: var(--text);
}
.corner.used { display: flex; }
.corner.measured { max-inline-size: 24rem; }
.toast { padding: 0.5rem 0.9rem; border-radius: 11px; background: var(--text); color: var(--surface); font-size: 0.875rem; }
.chip {
  display: flex; align-items: center; gap: 0.6rem; max-inline-size: 100%; min-block-size: 2.75rem; padding: 0.4rem 0.4rem 0.4rem 1rem;
  border: 1px solid var(--accent); border-radius: 999px; background: var(--surface); box-shadow: 0 6px 24px rgb(0 0 0 / 0.25);
}
.chip .open { flex: 1; min-inline-size: 0; border: 0; padding: 0.3rem 0.4rem; margin-inline-start: -0.4rem; border-radius: 999px; background: none; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sr { position: absolute; inset: 0 auto auto 0; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (prefers-reduced-motion: no-preference) {
  dialog[open], .chip, .toast { animation: rise 0.12s ease-out; }
  @keyframes rise { from { transform: translateY(0.4rem); } }
}
@media (max-width: 480px) {
  dialog { --pad: 1rem; }
  header { padding-inline-start: var(--pad); gap: 0; }
  header .tool { min-inline-size: 2rem; padding: 0 0.25rem; }
  :host([data-fills]) header { flex-wrap: wrap-reverse; justify-content: flex-end; padding-block: 0.375rem 0.25rem; }
  :host([data-fills]) h2 { flex: 1 1 100%; }
  :host([data-fills]) .workspace { display: none; } /* the conversation is about one */
}
@media (max-width: 340px) { h2 { font-size: 1rem; } }
@media (pointer: coarse) { .digit { display: none; } }
`;
