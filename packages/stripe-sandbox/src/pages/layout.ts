import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Language, PageTexts } from './texts';

const STYLE = `
  :root { color-scheme: light dark; --ground: #f6f5f9; --card: #fff; --ink: #15131d; --soft: #615e75; --line: #d9d6e2; --accent: #5b2ee0; --on-accent: #fff; --wrong: #b3123c }
  @media (prefers-color-scheme: dark) { :root { --ground: #131118; --card: #1d1a25; --ink: #f1eff7; --soft: #aaa6ba; --line: #3a3547; --accent: #b49bff; --on-accent: #17121f; --wrong: #ff8fa9 } }
  * { box-sizing: border-box } body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  .banner { background: #ffd54a; color: #2b2100; text-align: center; padding: .4rem 1rem; font-weight: 600 }
  main { max-width: 34rem; margin: 1.5rem auto 4rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
  h1 { font-size: 1.4rem; margin: 0 0 1rem } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem } p { margin: 0 0 .75rem } .soft { color: var(--soft) } a { color: var(--accent) }
  table { width: 100%; border-collapse: collapse } td, th { padding: .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top } td:last-child, th:last-child { text-align: right }
  label, legend { display: block; margin: .75rem 0 .25rem; font-weight: 600; padding: 0 } fieldset { border: 0; margin: 0; padding: 0 } .row { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: .75rem; align-items: end }
  input:not([type=radio]), select { width: 100%; font: inherit; padding: .55rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: inherit }
  button { width: 100%; font: inherit; font-weight: 600; margin-top: 1.25rem; padding: .75rem; border: 0; border-radius: 10px; background: var(--accent); color: var(--on-accent); cursor: pointer }
  button.quiet { background: none; color: var(--accent); border: 1px solid var(--line); margin-top: .5rem } button[aria-busy=true] { opacity: .6 }
  .wrong { color: var(--wrong); font-weight: 600 } .choice { display: flex; gap: .5rem; align-items: baseline; font-weight: 400; margin: .25rem 0 } dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem } dd { margin: 0; text-align: right }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

/** Optional script: fills in the chosen test card, and prevents double submits. The pages work without it. */
const SCRIPT = `
  const picker = document.querySelector('[name=picked]');
  picker?.addEventListener('change', () => {
    const number = document.querySelector('[name=number]');
    if (number && picker.value) number.value = picker.value.replace(/(\\d{4})(?=\\d)/g, '$1 ');
  });
  for (const form of document.forms) form.addEventListener('submit', (event) => {
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = '1';
    for (const button of form.querySelectorAll('button')) button.setAttribute('aria-busy', 'true');
  });
`;

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** `form-action` is left out because a payment redirects to the product's own URL. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  // with 'no-referrer', browsers would send these forms with the origin 'null', which the app rejects
  'referrer-policy': 'same-origin',
};

export function page(language: Language, texts: PageTexts, title: string, body: unknown) {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${raw(STYLE)}</style></head>
<body><div class="banner" role="note">${texts.sandbox}</div><main>${body}</main><script>${raw(SCRIPT)}</script></body>
</html>`;
}

export function money(minor: number, currency: string, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(minor / 100);
}

export function day(seconds: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(seconds * 1000));
}
