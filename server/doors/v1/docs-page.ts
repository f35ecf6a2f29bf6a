import { html } from 'hono/html';
import type { Language } from '~/locales/languages';
import { ERROR_KINDS } from '../../base/errors';
import { translate } from '../../base/messages';
import { API_DOCS_PATH } from '../../base/public-paths';
import { API_LIMITS } from '../../limits/api';
import type { JsonSchema } from '../../rest/openapi';
import { CODES_PATH, type DocsSite, docsPage, type Html, type Text } from './docs-shell';
import { fieldTable, objectLink } from './docs-types';
import { OWN_PROBLEMS } from './errors';
import { EXAMPLE_LANGUAGES, examplesOf } from './examples';
import { templateOf } from './match-call';
import { type V1Document, type V1Operation, v1Document } from './openapi';
import { SPANISH_SUMMARIES } from './spanish-summaries';
import { V1_TABLE } from './table';
import { CHAPTERS, type V1Call } from './v1-call';

const PROSE = ['key', 'json', 'audio', 'lists', 'fields', 'etag', 'idempotency', 'rates', 'versions', 'problems'];
/** What every list and every answer takes, which the introduction explains. */
const EVERYWHERE = new Set(['limit', 'cursor', 'fields']);

/** `/developers`: the document as a page without scripts. */
export function developersPage(site: DocsSite, language: Language): string {
  const { appUrl, requests } = site;
  const document = v1Document(appUrl);
  const t: Text = (key) =>
    translate(language, `api-docs:${key}`, { requests, version: API_LIMITS.versions.at(-1) as string });
  const chapters = CHAPTERS.map((name) => ({ name, calls: V1_TABLE.filter(({ chapter }) => chapter === name) })).filter(
    ({ calls }) => calls.length > 0,
  );
  const at = `/${language}${API_DOCS_PATH}`;
  const body = html`<p><a href="${at}/publish-an-episode">${t('first')}</a> · <a href="/v1/openapi.json">${t('document')}</a></p>
${PROSE.map((key) => html`<p>${withCode(t(key))}</p>`)}
<nav class="contents" aria-label="${t('contents')}"><ul>${chapters.map(({ name }) => html`<li><a href="#${name}">${t(`chapter.${name}`)}</a></li>`)}<li><a href="#problems">${t('problems.title')}</a></li><li><a href="#objects">${t('objects')}</a></li></ul></nav>
${chapters.map(({ name, calls }) => html`<h2 id="${name}">${t(`chapter.${name}`)}</h2>${calls.map((call) => callCard(call, { document, appUrl, language, t }))}`)}
<h2 id="problems">${t('problems.title')}</h2>
<p><a href="${at}${CODES_PATH}">${t('codes.all')}</a></p>
<table>${PROBLEMS.map(({ name, status }) => problemRow(name, status, language))}</table>
<h2 id="objects">${t('objects')}</h2>
${Object.entries(document.components.schemas)
  .filter(([name]) => !name.endsWith('List'))
  .map(
    ([name, schema]) =>
      html`<article id="${name}"><h3><code>${name}</code></h3>${fieldTable({ ...schema, required: [] }, t)}</article>`,
  )}`;
  return docsPage(site, language, { path: '', title: t('title'), lead: t('lead'), body });
}

const PROBLEMS = [
  ...Object.entries(ERROR_KINDS).map(([kind, { status }]) => ({ name: kind.replaceAll('_', '-'), status })),
  ...Object.values(OWN_PROBLEMS),
].sort((a, b) => a.status - b.status);

type Shown = { document: V1Document; appUrl: string; language: Language; t: Text };

function callCard(call: V1Call, { document, appUrl, language, t }: Shown): Html {
  const path = templateOf(call);
  const operation = document.paths[path]?.[call.method.toLowerCase()] as V1Operation;
  const body = operation.requestBody?.content['application/json']?.schema;
  const query = operation.parameters.filter(({ in: place, name }) => place === 'query' && !EVERYWHERE.has(name));
  const asSchema: JsonSchema = {
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  return html`<article>
<h3><code><span class="method">${call.method}</span> ${path}</code></h3>
<p>${withCode(summaryOf(call, language))}</p>
<p class="soft">${t('scope')} <code>${call.scope}</code></p>
${query.length > 0 ? html`<h4>${t('query')}</h4>${fieldTable(asSchema, t)}` : ''}
${body ? html`<h4>${t('body')}</h4>${fieldTable(body, t)}` : ''}
<h4>${t('answer')}</h4><p>${answerOf(call, t)}</p>
${call.isExample ? examples(call, appUrl, t) : ''}
</article>`;
}

/** Of a call in a language: the table has the English one. */
export const summaryOf = (call: V1Call, language: Language): string =>
  language === 'es' ? (SPANISH_SUMMARIES[`${call.method} ${call.path}`] ?? call.summary) : call.summary;

function answerOf({ out, isPaged, status = 200 }: V1Call, t: Text): Html {
  if (!out) return html`<code>204</code>`;
  return html`<code>${status}</code> ${objectLink(isPaged ? `${out.name}List` : out.name, t)}`;
}

function examples(call: V1Call, appUrl: string, t: Text): Html {
  const written = examplesOf(call, { appUrl });
  return html`<h4>${t('examples')}</h4>${EXAMPLE_LANGUAGES.map((name) => html`<details><summary>${TITLES[name]}</summary><pre><code>${written[name]}</code></pre></details>`)}`;
}

const TITLES = { curl: 'curl', python: 'Python', typescript: 'TypeScript' };

/** Renders text in backticks as code. */
const withCode = (text: string) => text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));

function problemRow(name: string, status: number, language: Language): Html {
  return html`<tr id="problem-${name}"><td><code>${status}</code></td><td><code>${name}</code></td><td>${translate(language, `errors:api.title.${name}`)}</td></tr>`;
}
