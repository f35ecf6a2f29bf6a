import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { operatorActions } from '~/db/schema/operators';
import { incidents, statusChecks } from '~/db/schema/status';
import { incidentCommands } from '~/server/admin/incident-commands';
import { DAYS, earlier, later, MINUTES } from '~/server/base/time';
import { checkComponents } from '~/server/domain/status/check-components';
import { slotOf } from '~/server/domain/status/rules';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { INCIDENT_LIMITS } from '~/server/limits/status';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import '../support/matchers';

const { runtime, env, clock } = await cast({ empty: true });
const { db } = runtime;
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
const APP = env.urls.appUrl;
const admin = { ctx: systemCtx(runtime, 'operator'), env: {} as never, operator: { name: 'olga' } };
const run = (name: string, args: string[] = [], options = {}) => incidentCommands[name]!.run(admin, args, options);
const check = () => checkComponents(systemCtx(runtime, 'status.check'));
const moment = (at: Date) => at.toISOString().slice(0, 16);

beforeEach(async () => {
  await db.delete(statusChecks);
  await db.delete(incidents);
});

async function read(url: string) {
  const response = await app.request(`${APP}${url}`, { headers: { 'accept-language': 'en' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const OPENED = {
  ...{ 'title-en': 'Emails <b>late</b>', 'title-es': 'Correos con retraso' },
  ...{ en: 'We look for the cause.', es: 'Buscamos la causa.', components: 'emails,jobs' },
};
const TEXTS = { en: 'Emails leave again.\n\nSorry.', es: 'Los correos vuelven a salir.\n\nPerdón.' };

test('the page has an address in each language, describes itself, and says that everything works', async () => {
  await check();
  const site = await read('/sitemap-site-1.xml');

  for (const [language, sentence] of [['en', 'Everything works.'] as const, ['es', 'Todo funciona.'] as const]) {
    const { status, headers, text } = await read(`/${language}/status`);

    expect([status, headers.get('x-cache-tags')]).toEqual([200, 'status live']);
    expect(text).toContain(`rel="canonical" href="${APP}/${language}/status"`);
    expect(text).toContain(`hrefLang="es" href="${APP}/es/status"`);
    expect(text).toContain('"@type":"BreadcrumbList"');
    expect(text).toMatch(new RegExp(`status-now ok">${sentence}`));
    expect(text).toContain(`href="${APP}/${language}/status/feed.xml"`);
    expect(site.text).toContain(`<loc>${APP}/${language}/status</loc>`);
  }
});

test('before the first check, the page says so', async () => {
  expect((await read('/en/status')).text).toContain('No check has been made yet.');
});

test('after some time without a check, the page does not say that anything works', async () => {
  await check();
  const before = clock.now;
  clock.now = later(slotOf(before), MINUTES(40));

  const { text } = await read('/en/status');
  clock.now = before;

  expect(text).toContain('The last check was 40 minutes ago.');
  expect(text).not.toContain('status-now ok');
  expect(text.match(/status-now unknown">Unknown/g)).toHaveLength(4);
  expect(text).toContain('no data for 35 minutes');
});

test('a failing component is named with its beginning, in words', async () => {
  await check();
  await db.update(statusChecks).set({ isOk: false }).where(eq(statusChecks.component, 'storage'));

  const { text } = await read('/es/status');

  expect(text).toContain('Con problemas: Audio e imágenes, desde el ');
  expect(text).toContain('falló 1 de 1 comprobaciones');
  expect(text).toContain('El 0&nbsp;%'.replace('&nbsp;', '\u00a0'));
});

test('an incident lives from its command to its end, and the trail has every step', async () => {
  await check();
  const [opened] = await run('open', [], {
    ...OPENED,
    severity: 'major',
    from: moment(earlier(clock.now, MINUTES(30))),
  });
  const id = String(opened!.id);
  expect((await read('/en/status')).text).toContain('All checks pass, but an incident is open');

  await run('update', [id], { en: 'The cause is known.', es: 'Sabemos la causa.' });
  await run('resolve', [id], TEXTS);

  const [english, spanish] = [(await read('/en/status')).text, (await read('/es/status')).text];
  expect(english).toContain('Emails &lt;b&gt;late&lt;/b&gt;');
  expect(english).toContain(`id="incident-${id}"`);
  expect(english).toMatch(/We look for the cause\.[\s\S]*The cause is known\.[\s\S]*Emails leave again\.<\/p><p>Sorry/);
  expect(english).toContain('Concerns: Emails, Background jobs');
  expect(english).toMatch(/From .* UTC to .* UTC · Major/);
  expect(spanish).toContain('Perdón.');
  expect(english + spanish).not.toContain('olga');
  expect(await run('list')).toMatchObject([
    { id: Number(id), texts: 3, by: 'olga', resolved: clock.now.toISOString() },
  ]);
  const trail = await db
    .select({ action: operatorActions.action })
    .from(operatorActions)
    .where(eq(operatorActions.target, `incident/${id}`))
    .orderBy(operatorActions.id);
  expect(trail.map(({ action }) => action)).toEqual(
    ['opened', 'updated', 'resolved'].map((step) => `incidents.${step}`),
  );
  await expect(run('resolve', [id], TEXTS)).toFailWith('incident.resolved');
  await expect(run('update', [id], TEXTS)).toFailWith('incident.resolved');
});

test('the feed has incidents with all their texts, and addresses that lead to them', async () => {
  const [opened] = await run('open', [], OPENED);
  await run('update', [String(opened!.id)], TEXTS);

  const { headers, text } = await read('/es/status/feed.xml');

  expect(headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  const page = (await read('/es/status')).text;
  for (const step of [1, 2]) {
    expect(text).toContain(`<link>${APP}/es/status#incident-${opened!.id}-${step}</link>`);
    expect(page).toContain(`id="incident-${opened!.id}-${step}"`);
  }
  expect(text).toMatch(/Perdón\.[\s\S]*Buscamos la causa\./);
});

test('incidents of earlier months leave the page, unless they are open', async () => {
  const row = { titleEs: 'a', severity: 'minor', components: [], createdBy: 'olga' } as const;
  const startedAt = earlier(clock.now, DAYS(100));
  await db.insert(incidents).values([
    { ...row, components: [], titleEn: 'Old and over', startedAt, resolvedAt: startedAt },
    { ...row, components: [], titleEn: 'Old and open', startedAt },
    { ...row, components: [], titleEn: 'Long, and over now', startedAt, resolvedAt: clock.now },
  ]);

  const { text } = await read('/en/status');

  expect(text).toContain('Old and open');
  expect(text).toContain('Long, and over now');
  expect(text).not.toContain('Old and over');
});

test('an incident that was written by mistake can be deleted', async () => {
  const [opened] = await run('open', [], OPENED);

  await run('remove', [String(opened!.id)]);

  expect((await read('/en/status')).text).toContain('There were no incidents');
  await expect(run('remove', [String(opened!.id)])).toFailWith('incident.not_found');
});

test.each<[string, Record<string, string | undefined>]>([
  ['without a text in Spanish', { es: undefined }],
  ['with an empty title', { 'title-en': ' ' }],
  ['with a title that is too long', { 'title-es': 'x'.repeat(INCIDENT_LIMITS.titleLength + 1) }],
  ['with a text that is too long', { en: 'x'.repeat(INCIDENT_LIMITS.textLength + 1) }],
  ['about an unknown component', { components: 'emails,cellar' }],
  ['of another severity', { severity: 'party' }],
  ['with an unclear time', { from: 'yesterday' }],
])('the command refuses an incident %s', async (_, over) => {
  await expect(run('open', [], { ...OPENED, ...over })).rejects.toThrow('expected two titles');
  expect(await db.$count(incidents)).toBe(0);
});

test.each([
  ['in the future', later(clock.now, MINUTES(2))],
  ['long ago', earlier(clock.now, DAYS(31))],
])('an incident can’t begin %s', async (_, from) => {
  await expect(run('open', [], { ...OPENED, from: moment(from) })).toFailWith('incident.time');
});

test('an incident can’t end before it begins', async () => {
  const [opened] = await run('open', [], OPENED);
  const at = moment(earlier(clock.now, DAYS(1)));

  await expect(run('resolve', [String(opened!.id)], { ...TEXTS, at })).toFailWith('incident.time');
});

test('only so many incidents are open at a time, and each has only so many texts', async () => {
  const ids: string[] = [];
  for (let i = 0; i < INCIDENT_LIMITS.open; i++) ids.push(String((await run('open', [], OPENED))[0]!.id));
  await expect(run('open', [], OPENED)).toFailWith('incident.open_limit');
  const [id = ''] = ids;

  for (let i = 2; i < INCIDENT_LIMITS.updates; i++) await run('update', [id], TEXTS);

  await expect(run('update', [id], TEXTS)).toFailWith('incident.text_limit');
  await run('resolve', [id], TEXTS);
  await run('open', [], OPENED);
});
