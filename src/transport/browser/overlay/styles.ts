/** Styles of the overlay. The contrast of text is at least 4.5 to 1 in both color schemes. */
export const overlayStyles = `
:host {
  all: initial;
  color-scheme: light dark;
  --surface: light-dark(#fff, #1d2229);
  --text: light-dark(#1b1f24, #e8ebef);
  --line: light-dark(#868f9a, #737d89);
  --accent: light-dark(#0b57b0, #8ec1ff);
  --code: light-dark(#f1f3f5, #12161b);
}
*, ::before, ::after { box-sizing: border-box; }
dialog, .note {
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
  color: var(--text);
  font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
dialog {
  width: min(44rem, calc(100vw - 2rem));
  max-height: calc(100vh - 2rem);
  padding: 1.25rem;
  overflow: auto;
}
dialog::backdrop { background: rgb(0 0 0 / 55%); }
h2 { margin: 0 0 0.75rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: 0 0 0.75rem; }
.message {
  margin: 0 0 1rem;
  padding: 0.75rem;
  border-radius: 6px;
  background: var(--code);
  font: 14px/1.5 ui-monospace, monospace;
  white-space: pre-wrap;
}
ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0 0 1rem; padding: 0; list-style: none; }
li > * { display: inline-block; padding: 0.125rem 0; }
a { color: var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button {
  min-height: 2.25rem;
  padding: 0.25rem 0.875rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
/* The panel sets the variables. */
.notes {
  position: var(--notes-position, fixed);
  z-index: 2147483646;
  display: grid;
  gap: 0.5rem;
  width: min(26rem, calc(100vw - 2rem));
}
[class*=top-] { top: 1rem; }
[class*=bottom-] { bottom: 1rem; }
[class*=-left] { left: 1rem; }
[class*=-right] { right: 1rem; }
.note {
  padding: 0.875rem;
  box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
  font-size: 15px;
}
.in-panel { display: var(--notes-display, block); }
`
