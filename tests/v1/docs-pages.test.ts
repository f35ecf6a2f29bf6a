import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { definedErrors } from '~/server/base/errors';
import { entriesOf } from '~/server/content/library';
import { codesPage } from '~/server/doors/v1/docs-codes';
import { guidePage } from '~/server/doors/v1/docs-guide';
import { developersPage, summaryOf } from '~/server/doors/v1/docs-page';
import { SPANISH_SUMMARIES } from '~/server/doors/v1/spanish-summaries';
import { V1_TABLE } from '~/server/doors/v1/table';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { createLog } from '~/server/watching/log';
import { BANNED } from '../banned-phrases';

const APP = 'http://altavoz.localhost:3000';
const library = await openContent({ folders: [OWN_CONTENT], log: createLog('silent') }).library();
const site = { appUrl: APP, requests: 600, library };

test.each(LANGUAGES)('the page in %s has no script, names all calls, and every link leads somewhere', (language) => {
  const page = developersPage(site, language);
  const anchors = [...page.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id);

  expect(page).not.toMatch(/<script|javascript:|\bon\w+=|api-docs:|chapter\.|>type\.|>format\./);
  expect([...page.matchAll(/class="method"/g)]).toHaveLength(V1_TABLE.length);
  expect(anchors.length).toBeGreaterThan(V1_TABLE.length / 2);
  for (const id of anchors) expect(page).toContain(`id="${id}"`);
  for (const id of ['not-found', 'too-many', 'invalid', 'method-not-allowed', 'unsupported-media-type'])
    expect(page).toContain(`id="problem-${id}"`);
});

test('every call has a summary in both languages, with the same names', () => {
  const names = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!).sort();
  const keys = V1_TABLE.map(({ method, path }) => `${method} ${path}`);

  expect(Object.keys(SPANISH_SUMMARIES).sort()).toEqual([...keys].sort());
  for (const call of V1_TABLE) {
    const [english, spanish] = [summaryOf(call, 'en'), summaryOf(call, 'es')];
    expect(spanish).not.toBe(english);
    expect([call.path, names(spanish)]).toEqual([call.path, names(english)]);
    expect(BANNED.es.find((phrase) => phrase.test(spanish))).toBeUndefined();
  }
});

test('types and headings are in the language of the page', () => {
  const [english, spanish] = [developersPage(site, 'en'), developersPage(site, 'es')];

  expect(english).toContain('text, at most 100 characters');
  expect(spanish).toContain('texto, hasta 100 caracteres');
  for (const heading of ['Parámetros', 'Cuerpo', 'Respuesta']) expect(spanish).toContain(`<h4>${heading}</h4>`);
  expect(spanish).not.toMatch(/<td>[^<]*\b(?:string|integer|boolean|list of|at most|or)\b/);
  expect(english).not.toMatch(/true or false or text|boolean, string/);
});

test('answers link to their objects, and the figures of statistics are declared', () => {
  const page = developersPage(site, 'en');

  expect(page).toContain('<code>200</code> list of <a href="#Show"><code>Show</code></a>');
  expect(page).toContain('YYYY-MM');
});

const guides = LANGUAGES.flatMap((language) => entriesOf(library, 'guides', language));

test.each(guides.map(({ language, slug }) => [language, slug] as const))(
  'the guide %s/%s names this installation, links to the studio, and has a way back',
  (language, slug) => {
    const page = guidePage(site, language, slug)!;

    expect(page).not.toMatch(/altavoz\.example|<script|api-docs:/);
    expect(page).toContain(`href="/${language}/developers"`);
    expect(page).toContain(`href="/${language}/profile/developers"`);
    expect(page).toContain(`href="/${language}/developers/${slug}" aria-current="page"`);
  },
);

test('there are guides about webhooks, assistants, apps, the command line and publishing', () => {
  const ids = entriesOf(library, 'guides', 'en').map(({ id }) => id);

  expect(ids.sort()).toEqual(['apps', 'assistants', 'command-line', 'publish-an-episode', 'webhooks']);
  expect(library.problems).toEqual([]);
});

test.each(LANGUAGES)('every code that a program may get has a text in %s, without values', (language) => {
  const page = codesPage(site, language);

  for (const code of ['api.scope_missing', 'episode.not_found', 'upload.not_mp3'])
    if (definedErrors.has(code)) expect(page).toContain(`<code>${code}</code>`);
  expect(page).not.toMatch(/\{\{|errors:|>api-docs:/);
});
