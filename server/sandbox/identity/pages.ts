import { html, raw } from 'hono/html';
import type { Language } from '~/locales/languages';
import { PEOPLE, type Person } from './people';
import { type SandboxTexts, TEXTS } from './texts';

const STYLE = `
  :root { color-scheme: light dark; --ground: #f6f5f9; --card: #fff; --ink: #15131d; --soft: #615e75; --line: #d9d6e2; --accent: #5b2ee0; --on-accent: #fff }
  @media (prefers-color-scheme: dark) { :root { --ground: #131118; --card: #1d1a25; --ink: #f1eff7; --soft: #aaa6ba; --line: #3a3547; --accent: #b49bff; --on-accent: #17121f } }
  * { box-sizing: border-box } body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  .banner { background: #ffd54a; color: #2b2100; text-align: center; padding: .4rem 1rem; font-weight: 600 }
  main { max-width: 28rem; margin: 1.5rem auto 4rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
  h1 { font-size: 1.4rem; margin: 0 0 .25rem } p { margin: 0 0 1rem; color: var(--soft) }
  button { width: 100%; font: inherit; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: none; color: inherit; cursor: pointer; margin-top: .5rem }
  button:hover { border-color: var(--accent) } button.person { text-align: left } button span { display: block; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere }
  button.main { background: var(--accent); color: var(--on-accent); border-color: transparent; font-weight: 600; margin-top: 1rem }
  summary { cursor: pointer; margin-top: 1.25rem } label { display: block; margin: .75rem 0 .25rem; font-weight: 600 } label.check { font-weight: 400; display: flex; gap: .5rem; align-items: center }
  input:not([type=checkbox]) { width: 100%; font: inherit; padding: .55rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: inherit }
  input[type=checkbox] { width: 1.5rem; height: 1.5rem } form.deny { margin-top: 1.25rem; border-top: 1px solid var(--line); padding-top: .75rem }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

/** `form-action` is left out because the choice redirects to the product's own URL. */
export const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // with 'no-referrer', browsers would send these forms with the origin 'null', which the app rejects
  'referrer-policy': 'same-origin',
};

const NAMES = { google: 'Google', facebook: 'Facebook' };
type ProviderName = keyof typeof NAMES;

/** The provider's login page: a few people, a form for any other person, and a way to decline. */
export function chooserPage(language: Language, provider: ProviderName) {
  const texts = TEXTS[language];
  const fill = (text: string) => text.replace('{provider}', NAMES[provider]);
  const title = fill(texts.title);
  return page(
    { language, title, banner: fill(texts.banner) },
    html`<h1>${title}</h1><p>${texts.lead}</p>
<form method="post">${PEOPLE[provider].map((person) => personButton(person, texts, provider))}</form>
<details><summary>${texts.other}</summary>
<form method="post">
<label for="name">${texts.name}</label><input id="name" name="name" autocomplete="off">
<label for="email">${texts.email}</label><input id="email" name="email" type="email" required autocomplete="off">
${provider === 'google' ? html`<label class="check"><input type="checkbox" name="verified" checked> ${fill(texts.isVerified)}</label>` : ''}
<button class="main" name="choice" value="other">${texts.continue}</button>
</form></details>
<form class="deny" method="post"><button name="choice" value="deny">${texts.deny}</button></form>`,
  );
}

function personButton({ id, name, email, isEmailVerified }: Person, texts: SandboxTexts, provider: ProviderName) {
  // Facebook says nothing about verification
  const state = provider === 'facebook' ? '{email}' : isEmailVerified ? texts.verified : texts.unverified;
  const about = email ? state.replace('{email}', email) : texts.noEmail;
  return html`<button class="person" name="choice" value="${id}">${name}<span>${about}</span></button>`;
}

export function messagePage(language: Language, message: 'badRequest') {
  const text = TEXTS[language][message];
  return page({ language, title: text, banner: 'Sandbox' }, html`<h1>${text}</h1>`);
}

function page({ language, title, banner }: { language: Language; title: string; banner: string }, body: unknown) {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${raw(STYLE)}</style></head>
<body><header class="banner">${banner}</header><main>${body}</main></body>
</html>`;
}
