/**
 * The style sheet. Light or dark follows the inherited `color-scheme` of the page, and the page can set every color. With
 * the default colors, text has a contrast of at least 4.5 and meaningful borders at least 3, on both backgrounds.
 */
export const STYLE: string = `
:host {
  --ink: var(--namewright-ink, light-dark(#1c1b19, #eceae5));
  --faint: var(--namewright-faint, light-dark(#5f5b54, #b1aca3));
  --paper: var(--namewright-paper, light-dark(#fdfcfa, #171614));
  --soft: var(--namewright-soft, light-dark(#f4f1eb, #22201d));
  --line: var(--namewright-line, light-dark(#dcd8d0, #3a3733));
  --edge: var(--namewright-edge, light-dark(#827d74, #8d887e));
  --accent: var(--namewright-accent, light-dark(#0b57a4, #8cc0f5));
  --on-accent: var(--namewright-on-accent, light-dark(#ffffff, #0d1b29));
  --fault: var(--namewright-fault, light-dark(#9a2a1d, #f3a59b));
  --radius: var(--namewright-radius, 0.625rem);
  display: block;
  font: var(--namewright-font, 1rem/1.5 system-ui, sans-serif);
  color: var(--ink);
  text-align: start;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.box {
  container-type: inline-size;
  padding: clamp(1rem, 4vw, 1.75rem);
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: calc(var(--radius) * 1.6);
}
form { display: grid; grid-template-columns: 1fr; gap: 0.5rem 0.75rem; margin: 0; }
label { font-size: 1.125em; font-weight: 600; line-height: 1.35; }
.sandbox { margin: 0 0 1rem; padding: 0.5rem 0.75rem; background: var(--soft); border-inline-start: 4px solid var(--edge); }
.sandbox[hidden] { display: none; }
.hint { margin: 0; color: var(--faint); font-size: 0.9375em; }
input, .submit, .again { font: inherit; min-height: 3rem; border-radius: var(--radius); }
input {
  width: 100%;
  min-width: 0;
  margin: 0.25rem 0 0;
  padding: 0.5rem 0.875rem;
  color: inherit;
  background: transparent;
  border: 1px solid var(--edge);
  text-overflow: ellipsis;
}
.submit, .again {
  padding: 0.5rem 1.375rem;
  font-weight: 600;
  cursor: pointer;
}
.submit { margin-top: 0.25rem; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); }
.again { min-height: 2.5rem; color: inherit; background: transparent; border: 1px solid var(--edge); }
.submit:hover { background: color-mix(in oklab, var(--accent) 88%, var(--ink)); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.status {
  display: flex;
  gap: 0.75rem;
  align-items: center;
  min-height: 1.5em;
  margin: 1rem 0 0;
  color: var(--faint);
  font-size: 0.9375em;
}
progress {
  appearance: none;
  flex: 1;
  height: 0.25rem;
  border: 0;
  border-radius: 1rem;
  overflow: hidden;
  background: var(--line);
}
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 1rem; transition: inline-size 0.4s ease-out; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 1rem; }
ul { list-style: none; margin: 0; padding: 0; }
.results:not(:empty) { margin-top: 0.75rem; border-top: 1px solid var(--line); }
.suggestion {
  display: grid;
  grid-template-columns: 1fr;
  gap: 0.25rem 1.5rem;
  padding: 0.875rem 0;
  border-bottom: 1px solid var(--line);
  animation: come 0.25s ease-out;
}
.name, .domain bdi { justify-self: start; }
.name { font-size: 1.1875em; font-weight: 600; line-height: 1.4; overflow-wrap: anywhere; }
.domain {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0 1rem;
  align-items: baseline;
  width: calc(100% + 1.25rem);
  min-height: 2.75rem;
  margin-inline: -0.625rem;
  padding: 0.5rem 0.625rem;
  font: inherit;
  text-align: start;
  text-decoration: none;
  color: inherit;
  background: none;
  border: 0;
  border-radius: var(--radius);
  cursor: pointer;
}
.domain:hover { background: var(--soft); }
/* Inside, where it covers neither the name above nor the message below. */
.domain:focus-visible { outline-offset: -3px; }
.domain bdi { font-weight: 500; overflow-wrap: anywhere; }
.choose { grid-column: 2; grid-row: 1 / span 2; align-self: center; font-weight: 600; color: var(--accent); }
.domain:hover .choose { text-decoration: underline; text-underline-offset: 0.2em; }
.price { grid-column: 1; color: var(--faint); font-size: 0.9375em; font-variant-numeric: tabular-nums; }
.domain[aria-disabled='true'] { cursor: default; background: none; }
.domain[aria-disabled='true'] bdi { text-decoration: line-through; color: var(--faint); }
.domain[aria-disabled='true'] .choose { visibility: hidden; }
.message { margin: 0.125rem 0 0.5rem; font-size: 0.9375em; color: var(--ink); }
.message:empty { display: none; }
.note { margin: 0.875rem 0 0; color: var(--faint); font-size: 0.875em; }
.elsewhere { margin: 0.375rem 0 0; color: var(--faint); font-size: 0.875em; }
.failure:not(:empty) {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem 1rem;
  align-items: center;
  justify-content: space-between;
  margin-top: 1rem;
  padding: 0.875rem 1rem;
  background: var(--soft);
  border-inline-start: 4px solid var(--fault);
  border-radius: 0.25rem;
}
.failure p { flex: 1 1 14rem; margin: 0; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none; }
@container (min-width: 34rem) {
  form { grid-template-columns: 1fr auto; }
  label, .hint { grid-column: 1 / -1; }
  .suggestion { grid-template-columns: minmax(8rem, 2fr) 3fr; }
  .name { padding-top: 0.4375rem; }
  .domain { grid-template-columns: 1fr auto auto; gap: 0 1.25rem; width: 100%; margin-inline: 0; }
  .price { grid-column: 2; grid-row: 1; text-align: end; }
  .choose { grid-column: 3; grid-row: 1; align-self: baseline; }
  .message { padding-inline: 0.625rem; }
}
@keyframes come { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) {
  .suggestion { animation: none; }
  progress::-webkit-progress-value { transition: none; }
}
@media (forced-colors: active) {
  .submit { border-color: ButtonText; }
  .choose { color: LinkText; }
  progress { border: 1px solid CanvasText; forced-color-adjust: none; background: Canvas; }
  progress::-webkit-progress-bar { background: Canvas; }
  progress::-webkit-progress-value { background: Highlight; }
}
`
