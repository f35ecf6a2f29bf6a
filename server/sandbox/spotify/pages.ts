import { html, raw } from 'hono/html';
import type { Language } from '~/locales/languages';
import type { SandboxAccount } from './context';
import { TEXTS } from './texts';

const STYLE = `
  :root { color-scheme: light dark; --ground: #f6f5f9; --card: #fff; --ink: #15131d; --soft: #615e75; --line: #d9d6e2; --accent: #0b6665; --on-accent: #fff }
  @media (prefers-color-scheme: dark) { :root { --ground: #131118; --card: #1d1a25; --ink: #f1eff7; --soft: #aaa6ba; --line: #3a3547; --accent: #7fd0ce; --on-accent: #0d1f1f } }
  * { box-sizing: border-box } body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  .banner { background: #ffd54a; color: #2b2100; text-align: center; padding: .4rem 1rem; font-weight: 600 }
  main { max-width: 28rem; margin: 1.5rem auto 4rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
  h1 { font-size: 1.4rem; margin: 0 0 .25rem } p { margin: 0 0 1rem; color: var(--soft) }
  button { width: 100%; font: inherit; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: none; color: inherit; cursor: pointer; margin-top: .5rem; overflow-wrap: anywhere }
  button:hover { border-color: var(--accent) } button.account { text-align: left }
  button.main { background: var(--accent); color: var(--on-accent); border-color: transparent; font-weight: 600; margin-top: 1rem }
  summary { cursor: pointer; margin-top: 1.25rem } label { display: block; margin: .75rem 0 .25rem; font-weight: 600 }
  input { width: 100%; font: inherit; padding: .55rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: inherit }
  select { width: 100%; font: inherit; padding: .55rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: inherit }
  h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem } ul { list-style: none; margin: 0; padding: 0 } li { border-top: 1px solid var(--line); padding: .75rem 0; overflow-wrap: anywhere } code { font-size: .9em }
  form.deny { margin-top: 1.25rem; border-top: 1px solid var(--line); padding-top: .75rem } a { color: var(--accent) }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

/** `form-action` is left out because the choice redirects to the product's own URL. */
export const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // with 'no-referrer', browsers would send these forms with the origin 'null', which the app rejects
  'referrer-policy': 'same-origin',
};

/** Spotify's page for agreeing: some accounts, a form for any other one, and a way to decline. */
export function consentPage(language: Language, accounts: readonly SandboxAccount[]) {
  const texts = TEXTS[language];
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><p>${texts.lead}</p>
<form method="post">${accounts.map(({ id, name }) => html`<button class="account" name="account" value="${id}">${name}</button>`)}</form>
<details><summary>${texts.other}</summary>
<form method="post">
<label for="account">${texts.account}</label><input id="account" name="account" required maxlength="60" autocomplete="off">
<button class="main">${texts.continue}</button>
</form></details>
<form class="deny" method="post"><button name="deny" value="1">${texts.deny}</button></form>`,
  );
}

export function completedPage(language: Language, back: string) {
  const { completed, completedLead, back: label } = TEXTS[language];
  const body = html`<h1>${completed}</h1><p>${completedLead}</p><a href="${back}">${label}</a>`;
  return page(language, completed, body);
}

export function rejectedPage(language: Language) {
  const text = TEXTS[language].badRequest;
  return page(language, text, html`<h1>${text}</h1>`);
}

export function page(language: Language, title: string, body: unknown) {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${raw(STYLE)}</style></head>
<body><header class="banner">${TEXTS[language].banner}</header><main>${body}</main></body>
</html>`;
}
