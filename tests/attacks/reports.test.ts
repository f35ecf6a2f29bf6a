import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { operatorActions } from '~/db/schema/operators';
import { abuseReports } from '~/db/schema/support';
import { reportCommands } from '~/server/admin/report-commands';
import { takeDownCommands } from '~/server/admin/take-down-commands';
import { DAYS, later } from '~/server/base/time';
import { eraseReporter, reportAbuse, sweepReports } from '~/server/domain/support/report-abuse';
import type { Report } from '~/server/domain/support/schema';
import { REPORT_LIMITS } from '~/server/limits/support';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, clock, make, lucia, ada, podcast, series, visitorCtx, ctxOf } = await cast({
  settings: { CREATOR_URLS: 'path' },
});
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const admin = { ctx: systemCtx(runtime, 'operator'), env: {} as never, operator: { name: 'olga' } };
const [episode] = await make.episodes(podcast, 1, () => ({ slug: 'copied', name: 'Copied' }));
const hidden = await make.draft(lucia, podcast, { slug: 'hidden' });

const show = { domain: lucia.domain, slug: podcast.slug };
const facts = { reason: 'copyright', text: 'This is mine.', name: null, email: null, isInGoodFaith: true } as const;
const reportIt = (more: Partial<Report> = {}, ctx = visitorCtx()) =>
  reportAbuse(ctx, { ...facts, page: show, ...more });
const about = (target: string) =>
  db.select().from(abuseReports).where(eq(abuseReports.target, target)).orderBy(abuseReports.id);
const reported = async (target: string, email: string) =>
  (await about(target)).find(({ reporterEmail }) => reporterEmail === email)!;
const emailsTo = async (to: string) => db.select().from(outbox).where(eq(outbox.to, to)).orderBy(outbox.createdAt);
const topicsTo = async (to: string) => (await emailsTo(to)).map(({ topic }) => topic).sort();

async function send(form: Record<string, string>, path = '/report') {
  const { host, origin } = new URL(env.urls.appUrl);
  const body = new URLSearchParams({ reason: 'hate', text: 'At minute 3.', isInGoodFaith: 'on', ...form });
  const response = await app.request(`${env.urls.appUrl}${path}`, { method: 'POST', headers: { host, origin }, body });
  return { status: response.status, html: await response.text() };
}
const open = async (path: string) => (await app.request(`${env.urls.appUrl}${path}`)).text();

test('the page of an episode leads to the form, which names it, works without JavaScript and confirms the report', async () => {
  const page = `/@${lucia.domain}/p/${podcast.slug}/copied`;
  const link = /href="(\/es\/report\?page=[^"]+)"/.exec(await open(`/es${page}`))![1]!;
  expect(link).toBe(`/es/report?page=${encodeURIComponent(page)}`);
  expect(await open(link)).toMatch(/<bdi>Copied<\/bdi>.*Una persona lee cada denuncia/s);

  const email = 'rita@mail.example';
  const { status, html } = await send({ page, name: 'Rita', email }, '/es/report');

  expect([status, html]).toEqual([200, expect.stringContaining('Denuncia enviada')]);
  expect(await about(`episode/${episode!.id}`)).toMatchObject([
    { creatorId: lucia.creatorId, productId: podcast.id, reason: 'hate', text: 'At minute 3.', state: 'open' },
  ]);
  const [received] = await emailsTo(email);
  expect(received).toMatchObject({ topic: 'report_received', language: 'es' });
  const [told] = await emailsTo(env.support.operator.email);
  expect(told).toMatchObject({ topic: 'report', subject: 'Denuncia sobre «Copied»' });
  expect(told!.text).toContain('/admin/reports');
});

test.each([
  ['no page', { page: '' }],
  ['another site', { page: 'https://other.example/p/olas' }],
  ['an unpublished episode', { page: `/@lucia/p/olas/${hidden.slug}` }],
  ['an unknown show', { page: '/@lucia/p/unknown' }],
  ['no page of a creator', { page: '/@lucia/preview/secret' }],
  ['no reason', { reason: '' }],
  ['an unknown reason', { reason: 'mood' }],
  ['no explanation', { text: ' ' }],
  ['a long explanation', { text: 'x'.repeat(REPORT_LIMITS.textLength + 1) }],
  ['no good faith', { isInGoodFaith: '' }],
  ['a wrong address', { email: 'rita@mail.example\r\nBcc: victim@mail.example' }],
])('a report with %s is refused, and keeps the typed text', async (_, wrong) => {
  const before = await db.$count(abuseReports);
  const { status, html } = await send({ page: `/@lucia/p/${podcast.slug}`, name: 'Typed <b>', ...wrong });

  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(html).toContain('value="Typed &lt;b&gt;"');
  expect(await db.$count(abuseReports)).toBe(before);
});

test('one person reports a thing once at a time, also with two clicks; visitors may report without an address', async () => {
  const email = 'twice@mail.example';
  const clicks = await Promise.allSettled([reportIt({ email }), reportIt({ email })]);
  expect(clicks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(reportIt({ email })).toFailWith('report.already_open');
  await reportIt();
  await reportIt();

  const reports = await about(`show/${podcast.id}`);
  expect(reports.map(({ reporterEmail }) => reporterEmail ?? 'nobody').sort()).toEqual(['nobody', 'nobody', email]);
  expect(await topicsTo(email)).toEqual(['report_received']);
});

test('the form can’t be used to bomb an address, and the operator gets one email about a thing', async () => {
  const email = 'victim@mail.example';
  const shows = [];
  for (let i = 0; i < REPORT_LIMITS.emails + 2; i += 1) shows.push(await make.product(ada, { slug: `bomb-${i}` }));
  const before = (await topicsTo(env.support.operator.email)).length;
  for (const { slug } of shows) {
    await reportIt({ page: { domain: ada.domain, slug }, email });
    await reportIt({ page: { domain: ada.domain, slug } });
  }

  expect(await topicsTo(email)).toEqual(Array(REPORT_LIMITS.emails).fill('report_received'));
  expect(await topicsTo(env.support.operator.email)).toHaveLength(before + shows.length);
  const answers: number[] = [];
  for (let i = 0; i < 12; i += 1) answers.push((await send({ page: '', email: '' })).status);
  expect(answers.at(-1)).toBe(429);
});

test('a dismissed report is answered once, by the first operator', async () => {
  const email = 'answered@mail.example';
  await reportIt({ email, page: { type: 'product', id: series.id } });
  const { id } = await reported(`show/${series.id}`, email);
  const dismiss = (answer = 'It is a parody.') => reportCommands.dismiss!.run(admin, [`${id}`], { answer });

  await expect(dismiss(' ')).rejects.toThrow('expected --answer');
  const twice = await Promise.allSettled([dismiss(), dismiss()]);

  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await topicsTo(email)).toEqual(['report_dismissed', 'report_received']);
  const answer = (await emailsTo(email)).find(({ topic }) => topic === 'report_dismissed')!;
  expect(answer.text).toContain('It is a parody.');
  expect(await reportCommands.list!.run(admin, [], {})).not.toContainEqual(expect.objectContaining({ id }));
  expect(await reportCommands.decided!.run(admin, [], {})).toContainEqual(
    expect.objectContaining({ id, state: 'dismissed', answer: 'It is a parody.' }),
  );
  const trail = await db
    .select()
    .from(operatorActions)
    .where(and(eq(operatorActions.action, 'reports.dismissed'), eq(operatorActions.target, `report/${id}`)))
    .orderBy(operatorActions.id);
  expect(trail).toMatchObject([{ operator: 'olga', details: { about: `show/${series.id}` } }]);
  // a page can be reported again after a dismissed report
  await reportIt({ email, page: { type: 'product', id: series.id } });
});

test('a take-down decides the reports about the thing and what belongs to it, and no others', async () => {
  const bea = await make.creator();
  const product = await make.product(bea, { slug: 'eco' });
  const other = await make.product(bea, { slug: 'otro' });
  const [part] = await make.episodes(product, 1, () => ({ slug: 'uno' }));
  const emails = ['of-episode', 'of-show', 'of-other', 'of-creator'].map((name) => `${name}@mail.example`);
  const { domain } = bea;
  const pages = [{ slug: 'eco', episodeSlug: 'uno' }, { slug: 'eco' }, { slug: 'otro' }, {}];
  for (const [i, page] of pages.entries()) await reportIt({ email: emails[i]!, page: { domain, ...page } });
  const states = async () =>
    Object.fromEntries(
      (
        await db.select().from(abuseReports).where(eq(abuseReports.creatorId, bea.creatorId)).orderBy(abuseReports.id)
      ).map((row) => [row.reporterEmail!.split('@')[0], row.state]),
    );

  const options = { ground: 'law', reason: 'A court has decided' };
  await takeDownCommands.show!.run(admin, [`${product.id}`], options);

  expect(await states()).toEqual({
    'of-episode': 'upheld',
    'of-show': 'upheld',
    'of-other': 'open',
    'of-creator': 'open',
  });
  expect(await topicsTo(emails[0]!)).toEqual(['report_received', 'report_upheld']);
  expect((await emailsTo(emails[1]!)).map(({ text }) => text).join()).toContain('A court has decided');
  await expect(reportIt({ page: { type: 'episode', id: part!.id } })).toFailWith('episode.not_found');
  await expect(reportIt({ page: { domain, slug: 'eco' } })).toFailWith('page.taken_down');
  await takeDownCommands.creator!.run(admin, [`${bea.creatorId}`], options);
  expect(await states()).toMatchObject({ 'of-other': 'upheld', 'of-creator': 'upheld' });
  expect(await about(`show/${other.id}`)).toMatchObject([{ decidedBy: 'olga', answer: 'A court has decided' }]);
});

test('no row names the reporter after their account was deleted, and decided reports are deleted after a year', async () => {
  const person = await make.person();
  await reportIt({ email: person.email, text: 'As a listener' }, ctxOf(person));
  const { id } = await reported(`show/${podcast.id}`, person.email);
  await db.update(abuseReports).set({ reporterName: 'Ana' }).where(eq(abuseReports.id, id));

  await eraseReporter(admin.ctx, { userId: person.id });

  const [row] = await db.select().from(abuseReports).where(eq(abuseReports.id, id));
  expect(row).toMatchObject({ userId: null, reporterName: null, reporterEmail: null, text: 'As a listener' });
  await reportCommands.dismiss!.run(admin, [`${id}`], { answer: 'No.' });
  const isThere = () => db.$count(abuseReports, eq(abuseReports.id, id));
  await sweepReports({ ...admin.ctx, now: () => later(clock.now, REPORT_LIMITS.kept - DAYS(1)) });
  expect(await isThere()).toBe(1);
  await sweepReports({ ...admin.ctx, now: () => later(clock.now, REPORT_LIMITS.kept + DAYS(1)) });
  expect(await isThere()).toBe(0);
});
