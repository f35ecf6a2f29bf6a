import { html } from 'hono/html';
import type { Language } from '~/locales/languages';
import { definedErrors, ERROR_KINDS } from '../../base/errors';
import { translate } from '../../base/messages';
import { CODES_PATH, type DocsSite, docsPage } from './docs-shell';
import { OWN_PROBLEMS, textKeyOf } from './errors';

/** Rooms that no key or app reaches. */
const ELSEWHERE = new Set(
  'account affiliate announcement app console donation gift identity incident operator spotify support team'.split(' '),
);

/** Every code that a problem can have, with its status and its text. */
export function codesPage(site: DocsSite, language: Language): string {
  const t = (key: string) => translate(language, `api-docs:${key}`);
  const codes = [...definedErrors]
    .filter(([code]) => !ELSEWHERE.has(code.split('.')[0] as string))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const body = html`<table class="codes">${codes.map(
    ([code, kind]) =>
      html`<tr><th scope="row"><code>${code}</code> <span class="soft">${OWN_PROBLEMS[code]?.status ?? ERROR_KINDS[kind].status}</span></th><td>${textOf(code, language)}</td></tr>`,
  )}</table>`;
  return docsPage(site, language, { path: CODES_PATH, title: t('codes.title'), lead: t('codes.lead'), body });
}

/** The text of a code; the values of one failure are left out. */
function textOf(code: string, language: Language): string {
  const key = textKeyOf(code);
  const text = translate(language, `errors:${key}`);
  const shown = text === key ? translate(language, `errors:${key}_other`) : text;
  return shown.replace(/\{\{.*?\}\}/g, '…');
}
