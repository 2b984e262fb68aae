// The style of the list of unsaved edits.

import { NOTICES } from "./notices.style";

export const STYLE = `${NOTICES}
:host {
  --warning: light-dark(#8a5a00, #f0c060);
  inset-block-end: 0.75rem; inset-inline: 0; z-index: 2147483645;
  display: grid; justify-items: center; pointer-events: none;
}
section {
  display: flex; flex-direction: column; pointer-events: auto;
  inline-size: min(30rem, 100vw - 1.5rem); max-block-size: min(24rem, 60vh);
  border: 1px solid color-mix(in srgb, var(--warning) 50%, var(--line)); border-radius: 12px;
  background: var(--surface); box-shadow: 0 12px 40px rgb(0 0 0 / 0.28); overflow: hidden;
}
ol { margin: 0; padding: 0; list-style: none; overflow: auto; overscroll-behavior: contain; }
li { padding: 0.7rem 0.9rem 0.75rem 1rem; }
li + li { border-block-start: 1px solid var(--line); }
h2 { margin: 0; font-size: 0.875rem; line-height: 1.45; font-weight: 600; }
h2::before {
  content: ""; display: inline-block; inline-size: 0.5rem; block-size: 0.5rem; margin-inline-end: 0.5rem;
  border-radius: 50%; background: var(--warning);
}
.upload h2::before { background: var(--accent); }
progress { display: block; inline-size: 100%; margin-block: 0.45rem 0.6rem; accent-color: var(--accent); }
.why { margin: 0.1rem 0 0; color: var(--muted); font-size: 0.8125rem; }
.text {
  margin: 0.45rem 0 0.6rem; padding: 0.4rem 0.6rem; max-block-size: 6.5rem; overflow: auto;
  border-radius: 8px; background: var(--sunken); font: inherit; white-space: pre-wrap; overflow-wrap: anywhere;
}
.actions { display: flex; flex-wrap: wrap; gap: 0.4rem; }
button {
  min-block-size: 2rem; padding: 0.2rem 0.8rem; border: 1px solid var(--line); border-radius: 8px;
  background: none; font: inherit; color: inherit; cursor: pointer;
}
button:hover { background: var(--sunken); }
button.dismiss { margin-inline-start: auto; border-color: transparent; color: var(--muted); }
.sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
