import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { LANGUAGES, type Language } from '~/locales/languages';
import { DEVELOPERS_PATH } from '../../base/account-paths';
import { translate } from '../../base/messages';
import { API_DOCS_PATH } from '../../base/public-paths';
import { entriesOf, type Library } from '../../content/library';

/** Uses the colours of app/styles/tokens.css. */
const STYLE = `
:root { color-scheme: light dark; --opened: #fbfaf8; --card: #ffffff; --well: #f3f0ea; --ink: #15131d; --soft: #645f73; --line: #e5e0d8; --accent: #a92f1e }
@media (prefers-color-scheme: dark) { :root { --opened: #15131d; --card: #262331; --well: #1f1c29; --ink: #fbfaf8; --soft: #b8b4c4; --line: #3a3648; --accent: #ff9a87 } }
body { margin: 0; background: var(--opened); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
header, main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 0 } main { padding-bottom: 5rem }
header ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 0 0 .5rem; list-style: none } [aria-current] { color: var(--ink); text-decoration: none; font-weight: 600 }
h1 { font-size: 2rem; line-height: 1.2; margin: 1.5rem 0 .5rem } h2 { margin: 3rem 0 1rem } h3 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere } h4 { font-size: .9rem; margin: 1rem 0 0 }
a { color: var(--accent) } code { font: .9em ui-monospace, monospace } .soft { color: var(--soft) } p { margin: 0 0 .75rem; max-width: 46rem }
pre { background: var(--well); border-radius: 8px; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; margin: 0 0 1rem }
.method { display: inline-block; min-width: 4rem; color: var(--accent); font-weight: 700 } summary { cursor: pointer; padding: .25rem 0 }
table { width: 100%; border-collapse: collapse; font-size: .9rem; margin: .5rem 0 0 } [data-table] { overflow-x: auto }
th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-top: 1px solid var(--line); font-weight: normal; overflow-wrap: break-word } thead th { border: 0; color: var(--soft) }
.fields { table-layout: fixed } .fields th { width: 42%; padding-right: .5rem; overflow-wrap: anywhere } .fields td { overflow-wrap: anywhere } .fields td code { white-space: nowrap } p, li, .codes th { overflow-wrap: anywhere } nav.contents ul { columns: 12rem; padding: 0; list-style: none }
@media (min-width: 40rem) { .fields th { width: 13rem; overflow-wrap: normal } .codes th { width: 24rem } }
@media (max-width: 40rem) { .codes th, .codes td { display: block } .codes td { border: 0 } }
`;

/** Allows only the page's own style: no scripts, images or external resources. */
export const DEVELOPERS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export type Text = (key: string) => string;
export type Html = ReturnType<typeof html>;
/** `requests`: of one key in a minute. */
export type DocsSite = { appUrl: string; requests: number; library: Library };
/** `path`: below the documentation, such as `/webhooks`; empty for the reference. */
export type DocsPage = { path: string; title: string; lead: string; body: Html | Html[] };

/** The pages beside the guides, which are files in content/{en,es}/guides. */
export const CODES_PATH = '/codes';

/** A page of the documentation, with links to the others, to the studio and to its translation. */
export function docsPage(site: DocsSite, language: Language, { path, title, lead, body }: DocsPage): string {
  const { appUrl, library } = site;
  const t: Text = (key) => translate(language, `api-docs:${key}`);
  const at = (of: Language, below: string) => `/${of}${API_DOCS_PATH}${below}`;
  const other: Language = language === 'en' ? 'es' : 'en';
  const pages = [
    ['', t('reference')],
    ...guidesOf(library, language).map(({ slug, data }) => [`/${slug}`, data.title]),
    [CODES_PATH, t('codes.title')],
  ] as const;
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Altavoz</title><meta name="description" content="${lead}">
<link rel="canonical" href="${appUrl}${at(language, path)}">${LANGUAGES.map((of) => html`<link rel="alternate" hreflang="${of}" href="${appUrl}${at(of, path)}">`)}<style>${raw(STYLE)}</style></head>
<body><header>
<nav aria-label="${t('site')}"><ul><li><a href="/${language}">Altavoz</a></li><li><a href="/${language}${DEVELOPERS_PATH}">${t('studio')}</a></li><li><a href="${at(other, path)}" lang="${other}" hreflang="${other}">${t('other')}</a></li></ul></nav>
<nav aria-label="${t('guides')}"><ul>${pages.map(([below, name]) => html`<li><a href="${at(language, below)}"${below === path ? raw(' aria-current="page"') : ''}>${name}</a></li>`)}</ul></nav>
</header><main>
<h1>${title}</h1><p>${lead}</p>
${body}
</main></body>
</html>`;
  return String(page);
}

export const guidesOf = (library: Library, language: Language) =>
  entriesOf(library, 'guides', language).toSorted((a, b) => a.data.order - b.data.order);
