import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '~/locales/languages';
import { SITE_SLUGS } from '~/locales/site-slugs';
import { type CookieSettings, cookieWriter } from '~/server/auth/cookies';
import { CAMPAIGN_COOKIE } from '~/server/auth/source-cookies';
import { AFFILIATE_COOKIE } from '~/server/base/affiliate-cookie';
import { DAYS, HOURS, MINUTES } from '~/server/base/time';
import { siteMapsDoor } from '~/server/doors/site-maps';
import type { OperatorSettings } from '~/server/env/operator';
import { LEGAL_PAGES } from '~/server/limits/content';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-legal-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

async function write(name: string, body: string) {
  const file = path.join(folder, name);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `---\ntitle: Theirs\ndescription: a\nlead: b\nupdated: 2027-01-15\n---\n\n${body}\n`);
}

const { runtime: base, env, podcast } = await cast();
const APP = env.urls.appUrl;
const WHOLE = { name: 'Onda & <Cía>', address: 'Calle Mayor 1', email: 'legal@onda.example', vatNumber: 'ESB00000001' };

const content = openContent({ folders: [OWN_CONTENT, folder], log: base.log });
function appOf(operator: Partial<OperatorSettings>, overrides = {}) {
  const settings = { ...base.settings, operator: { ...base.settings.operator, ...operator } };
  const runtime = { ...base, settings, ...overrides };
  return pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
}
const app = appOf(WHOLE);
const bare = appOf({ address: null, vatNumber: null });

async function read(url: string, on = app) {
  const response = await on.request(APP + url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const pathOf = (language: Language, name: (typeof LEGAL_PAGES)[number]) => `/${language}/${SITE_SLUGS[name][language]}`;
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)![0];
const noticeOf = (html: string) => /<div class="notice">(.*?)<\/div>/s.exec(html)?.[1] ?? null;

test.each(LEGAL_PAGES.flatMap((name) => LANGUAGES.map((language) => [name, language] as const)))(
  'the page of %s in %s names its addresses, the operator and the day of its last change',
  async (name, language) => {
    const { status, headers, text } = await read(pathOf(language, name));
    const site = await read('/sitemap-site-1.xml');

    expect([status, headers.get('x-cache-tags')]).toEqual([200, 'content']);
    expect(text).toContain(`<html lang="${language}"`);
    expect(text).toContain(`rel="canonical" href="${APP}${pathOf(language, name)}"`);
    for (const other of LANGUAGES) expect(text).toContain(`hrefLang="${other}" href="${APP}${pathOf(other, name)}"`);
    expect(site.text.split(`<loc>${APP}${pathOf(language, name)}</loc>`)).toHaveLength(2);
    const described = JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(text)![1]!);
    expect(described['@graph']).toEqual([
      expect.objectContaining({ '@type': 'BreadcrumbList' }),
      expect.objectContaining({ '@type': 'WebPage', inLanguage: language, dateModified: expect.stringMatching(/^20/) }),
    ]);
    const main = mainOf(text);
    expect(main).toContain('Onda &amp; &lt;Cía&gt;');
    expect(main).toContain('<a href="mailto:legal@onda.example">legal@onda.example</a>');
    expect(main).not.toMatch(/\{\{|\}\}|\(not given\)|\(sin indicar\)/);
    expect(noticeOf(text)).toBeNull();
  },
);

test('the slug of another language leads to the one of the page', async () => {
  const { status, headers } = await read('/es/imprint');

  expect([status, headers.get('location')]).toEqual([301, '/es/aviso-legal']);
});

test('pages name what the operator has not given, where it is missing and at the beginning', async () => {
  const [english, spanish, terms, cookies] = await Promise.all(
    ['/en/imprint', '/es/aviso-legal', '/en/terms-and-conditions', '/en/cookies'].map((url) => read(url, bare)),
  );

  expect(noticeOf(english!.text)).toContain('<li>postal address</li><li>VAT number</li>');
  expect(mainOf(english!.text)).toContain('<strong>Address:</strong> (not given)');
  expect(noticeOf(spanish!.text)).toContain('<li>la dirección postal</li><li>el NIF-IVA</li>');
  expect(mainOf(spanish!.text)).toContain('<strong>NIF-IVA:</strong> (sin indicar)');
  for (const page of [terms, cookies]) {
    expect(noticeOf(page!.text)).toContain('<li>postal address</li>');
    expect(noticeOf(page!.text)).not.toContain('VAT number');
  }
});

test('the data processing agreement names the services that the settings name', async () => {
  const processors = [{ kind: 'payments', name: 'Stripe' } as const, { kind: 'email', name: 'smtp.example' } as const];
  const settings = { ...base.settings, processors };
  const named = pagesApp({ ...base, settings }, env.urls);

  const [none, english, spanish] = await Promise.all([
    read('/en/data-processing-agreement'),
    read('/en/data-processing-agreement', named),
    read('/es/contrato-de-encargo-de-tratamiento', named),
  ]);

  expect(none.text).toContain('<ul><li>no other company</li></ul>');
  expect(english.text).toContain('<ul><li>for payments: Stripe</li><li>for sending emails: smtp.example</li></ul>');
  expect(spanish.text).toContain('<ul><li>para los pagos: Stripe</li><li>para enviar correos: smtp.example</li></ul>');
});

test('numbers come from the limits, in the language of the text', async () => {
  const [english, spanish] = await Promise.all([read('/en/privacy-policy'), read('/es/privacy-policy')]);

  expect(english.text).toContain('Records of payments: at least 10\u00a0years');
  expect(spanish.text).toContain('Los registros de pagos: al menos 10\u00a0años');
  expect(english.text).toContain('at least 13 years old');
});

test('a file of the operator replaces ours, and one with an unknown placeholder does not', async () => {
  await write('en/legal/imprint.md', 'Register: HRB 1. {{ vat-number }}');
  await write('es/legal/imprint.md', 'Registro: {{register}}.');
  await write('en/legal/house-rules.md', 'Be kind.');
  const theirs = appOf(WHOLE, { content });

  const [english, spanish] = await Promise.all([read('/en/imprint', theirs), read('/es/aviso-legal', theirs)]);

  expect(mainOf(english.text)).toContain('<p>Register: HRB 1. ESB00000001</p>');
  expect(mainOf(english.text)).toContain('15 January 2027');
  expect(mainOf(spanish.text)).toContain('Quién responde del contenido');
  const { problems } = await content.library();
  expect(problems.map(({ file, problem }) => [path.relative(folder, file), problem])).toEqual([
    ['en/legal/house-rules.md', expect.stringContaining('legal texts are terms, privacy')],
    ['es/legal/imprint.md', expect.stringMatching(/^unknown placeholder \{\{register\}\}; known are operator, name/)],
  ]);
});

const UNITS = { minute: MINUTES(1), hour: HOURS(1), day: DAYS(1) };

test('the page of cookies has all that the server sets, with their times', async () => {
  const headers = new Headers();
  const writer = cookieWriter(
    { appHost: 'altavoz.example', secure: true } satisfies CookieSettings,
    'altavoz.example',
    headers,
  );
  const { clear: _, source, ...others } = writer;
  for (const write of Object.values(others)) (write as (value: string) => void)('a');
  for (const name of [CAMPAIGN_COOKIE, AFFILIATE_COOKIE]) source(name, 'a');
  const set = headers
    .getSetCookie()
    .map((cookie) => [/^[^=]+/.exec(cookie)![0], Number(/Max-Age=(\d+)/.exec(cookie)![1]) * 1000]);

  const { text } = await read('/en/cookies');

  const rows = [
    ...text.matchAll(/<td><code>(.*?)<\/code><\/td>\s*<td>.*?<\/td>\s*<td>(\d+)\u00a0(minute|hour|day)s?<\/td>/g),
  ];
  const stated = rows.map(([, name, count, unit]) => [name, Number(count) * UNITS[unit as keyof typeof UNITS]]);
  expect(stated.sort()).toEqual(set.sort());
});

test('the footer of every public page leads to all legal texts, on creators’ hosts too', async () => {
  const paths = ['/es', '/es/contact', '/es/login'];
  const pages = await Promise.all(paths.map((url) => read(url)));
  const onHost = await app.request(base.urls.creator('lucia', `/p/${podcast.slug}`, 'es'));

  for (const html of [...pages.map(({ text }) => text), await onHost.text()]) {
    const foot = html.split('class="site-foot"')[1] ?? '';
    for (const name of LEGAL_PAGES) expect(foot).toMatch(new RegExp(`href="(?:${APP})?${pathOf('es', name)}"`));
  }
});
