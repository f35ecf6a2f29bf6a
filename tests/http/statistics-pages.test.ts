import { beforeEach, expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import { episodeMonths, episodeTotals, listeningDays, machineDays } from '~/db/schema/listening';
import { members } from '~/db/schema/team';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock } = await cast();
const app = pagesApp(runtime, env.urls);
clock.now = new Date('2026-11-26T12:00:00Z');

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, { name: 'Olas y viento' });
const [episode] = await make.episodes(show, 1, () => ({
  name: '=cmd|calc 👨‍👩‍👧‍👦',
  releaseAt: new Date('2026-11-20T10:00:00Z'),
}));
const base = `/podcasts/${show.id}`;
const scope = { creatorId: owner.creatorId, productId: show.id };

const { host, origin } = new URL(env.urls.appUrl);

async function open(path: string, token = owner.token) {
  const response = await app.request(`${env.urls.appUrl}${path}`, {
    headers: { cookie: `token=${token}`, host, origin },
  });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

beforeEach(async () => {
  await runtime.db.delete(listeningDays);
  await runtime.db.delete(machineDays);
});

/** Twelve plays from Spain and three from Mexico, in one evening. */
async function listenAFewTimes() {
  await runtime.db.insert(listeningDays).values({
    ...scope,
    day: '2026-11-20',
    ...{ listens: 5, downloads: 10, listeners: 9 },
    slots: { l: { '72': 5 }, d: { '73': 10 } },
    dimensions: { country: { ES: 12, MX: 3 }, app: { spotify: 11, unknown: 4 }, source: { feed: 15 } },
    pairs: { 'ES|spotify': 10, 'MX|spotify': 1 },
  });
}

test('a show without plays says what comes next', async () => {
  const { status, html } = await open(`${base}/metric`);

  expect(status).toBe(200);
  expect(html).toContain('No plays yet');
  expect(html).toContain(`href="${base}/distribution"`);
  expect(html).not.toContain('<figure');
});

test('an episode that was never published is to be published first', async () => {
  await listenAFewTimes();
  const [draft] = await make.episodes(show, 1, () => ({
    name: 'Draft',
    slug: 'draft',
    status: 'failed',
    releaseAt: null,
  }));

  const { status, html } = await open(`${base}/episodes/${draft!.id}/metric`);

  expect(status).toBe(200);
  expect(html).toMatch(/<p[^>]*>Publish it first\./);
  expect(html).not.toMatch(/>Plays<\/dt>/);
});

test('a user without a creator page is led to claim one', async () => {
  const person = await make.person();

  const { status, headers } = await open('/metric', person.token);

  expect(status).toBe(302);
  expect(headers.get('location')).toContain('/start/page');
});

test('a few plays are people and places, not per cent', async () => {
  await listenAFewTimes();

  const { html } = await open(`${base}/metric?zone=UTC`);

  expect(html).toContain('15 plays: 12 from Spain · 3 from Mexico');
  expect(html).toContain('Metrics data only since 20 November 2026.');
  expect(html).toMatch(/aria-label="Fri,? 20 Nov: 15 plays\. =cmd/);
  expect(html).toMatch(/<use href="[^"]*world[^"]*\.svg#ES"/);
  expect(html).not.toMatch(/\d% from/);
});

test('filters combine in the address, and each can be removed', async () => {
  await listenAFewTimes();

  const { html } = await open(`${base}/metric?country=ES&app=spotify`);

  expect(html).toContain(`href="${base}/metric?app=spotify"`);
  expect(html).toContain(`href="${base}/metric?country=ES"`);
  expect(html).toMatch(/<option value="ES" selected="">Spain/);
  expect(html).toMatch(/>Plays<\/dt><dd>10<\/dd>/);
});

test('an impossible period is named beside the form, and the usual one is shown', async () => {
  await listenAFewTimes();

  const { status, html } = await open(`${base}/metric?from=2026-11-20&to=2026-11-01`);

  expect(status).toBe(200);
  expect(html).toMatch(/role="alert"[^>]*>[^<]{10,}/);
  expect(html).toContain('12 from Spain');
});

test('an empty period leads to all plays', async () => {
  await listenAFewTimes();

  const { html } = await open(`${base}/metric?from=2026-11-24&to=2026-11-25`);

  expect(html).toContain('No plays in this period');
  expect(html).toContain(`href="${base}/metric?from=2026-11-20"`);
});

test('machines are in no figure, and can be looked at', async () => {
  await listenAFewTimes();
  await runtime.db
    .insert(machineDays)
    .values({ ...scope, day: '2026-11-20', requests: 7, reasons: { bot: 7 }, agents: { '<b>bot</b>': 7 } });

  const { html } = await open(`${base}/metric`);

  expect(html).toContain('7 requests by machines are not counted');
  expect(html).toContain('&lt;b&gt;bot&lt;/b&gt;');
  expect(html).toMatch(/>Plays<\/dt><dd>15<\/dd>/);
});

test('files have the values of a chart, and no cell that a spreadsheet runs', async () => {
  await listenAFewTimes();

  const countries = await open(`${base}/metric/chart.csv?chart=country`);
  const episodes = await open(`${base}/metric/chart.csv?chart=episodes`);

  expect(countries.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(countries.headers.get('content-disposition')).toMatch(/filename="country-2026-10-28-2026-11-26\.csv"/);
  expect(countries.html.replace('\ufeff', '')).toBe('country,name,plays\r\nES,Spain,12\r\nMX,Mexico,3\r\n');
  expect(episodes.html).toContain("'=cmd|calc 👨‍👩‍👧‍👦");
  // the first 7 and 30 days are not over
  expect(episodes.html).toMatch(/,2026-11-20T[\d:.]+Z,\d*,,,\d+\r\n$/);
  expect((await open(`${base}/metric/chart.csv?chart=nothing`)).status).toBe(404);
});

test('the file of all shows has a column for each host once, also if one show has only months of it', async () => {
  await listenAFewTimes();
  const other = await make.product(owner);
  for (const [productId, period] of [
    [show.id, 'day'],
    [other.id, 'month'],
  ] as const) {
    const of = { creatorId: owner.creatorId, productId };
    const facts = { ...of, host: 'libsyn', name: 'Libsyn', fileName: 'a.csv', importedAt: runtime.now() } as const;
    const [source] = await runtime.db.insert(importedSources).values(facts).returning();
    await runtime.db.insert(importedPlays).values({ ...of, sourceId: source!.id, period, day: '2026-11-01', plays: 7 });
  }

  const { html } = await open('/metric/chart.csv?chart=evolution');

  const [names, ...rows] = html.replace('\ufeff', '').trim().split('\r\n');
  expect(names).toMatch(/,corrected_days,imported: Libsyn$/);
  expect(rows.filter((row) => row.endsWith(',7')).map((row) => row.slice(0, 10))).toEqual(['2026-11-01']);
});

test('an episode shows its start, and all shows are on one page', async () => {
  await listenAFewTimes();
  await runtime.db.insert(episodeMonths).values({
    ...scope,
    episodeId: episode!.id,
    month: '2026-11-01',
    ...{ listens: 5, downloads: 10 },
    hours: { l: { '2011': 5 }, d: { '2115': 10 } },
    dimensions: { country: { ES: 15 } },
  });
  await runtime.db
    .insert(episodeTotals)
    .values({ creatorId: owner.creatorId, episodeId: episode!.id, listens: 5, downloads: 10 });

  const one = await open(`${base}/episodes/${episode!.id}/metric?zone=UTC`);
  const all = await open('/metric');

  expect(one.html).toMatch(/>First 24 hours<\/dt><dd>5<\/dd>/);
  expect(one.html).toMatch(/>First 7 days<\/dt><dd>15 so far<\/dd>/);
  expect(one.html).toContain('15 plays in the first 146 hours');
  // one episode is compared with nothing
  expect(one.html).not.toMatch(/<\/span>Median of/);
  expect(all.html).toContain('12 from Spain');
});

test('the figures are for the team, and another creator finds nothing', async () => {
  await listenAFewTimes();
  const analyst = await make.person();
  await runtime.db.insert(members).values({ creatorId: owner.creatorId, userId: analyst.id, role: 'finance' });
  await runtime.sessions.workFor(analyst.token, owner.creatorId);
  const stranger = await make.creator({ name: 'Ada' });

  expect((await open(`${base}/metric`, analyst.token)).html).toContain('12 from Spain');
  for (const path of [
    `${base}/metric`,
    `${base}/metric/chart.csv?chart=country`,
    `${base}/episodes/${episode!.id}/metric`,
  ])
    expect([path, (await open(path, stranger.token)).status]).toEqual([path, 404]);
});

test('the home shows people and money at a glance, to members who may see them', async () => {
  const analyst = await make.person();
  await runtime.db.insert(members).values({ creatorId: owner.creatorId, userId: analyst.id, role: 'analyst' });
  await runtime.sessions.workFor(analyst.token, owner.creatorId);
  await runtime.db.insert(contacts).values({
    creatorId: owner.creatorId,
    ...{ email: 'nora@mail.example', language: 'es', source: 'form', status: 'active' },
    since: new Date('2026-11-20T10:00:00Z'),
  });

  const { html } = await open('/dashboard');

  expect(html).toMatch(/>Contacts<\/dt><dd>1<\/dd><dd[^>]*>1 new in 30 days/);
  expect(html).toMatch(/>Customers<\/dt>/);
  expect((await open('/dashboard', analyst.token)).html).not.toMatch(/>Customers<\/dt>/);
});

test('the page offers the reports of months that are over, and each is a PDF for the team only', async () => {
  await runtime.db.insert(listeningDays).values({ ...scope, day: '2026-09-20', downloads: 3 });
  const stranger = await make.creator({ name: 'Ada' });

  const { html } = await open(`${base}/metric`);
  const report = await open('/metric/report.pdf?month=2026-09');

  expect(html).toMatch(/<option value="2026-10"[^>]*>October 2026/);
  expect(html).toContain('<option value="2026-09"');
  expect(html).not.toMatch(/<option value="2026-(?:08|11)"/);
  expect(report.status).toBe(200);
  expect(report.headers.get('content-type')).toBe('application/pdf');
  expect(report.headers.get('content-disposition')).toContain('report-2026-09.pdf');
  expect(report.html).toMatch(/^%PDF-1\./);
  expect((await open('/metric/report.pdf?month=2026-11')).status).toBe(400);
  expect((await open('/metric/report.pdf?month=2026-13')).status).toBe(400);
  expect((await open('/metric/report.pdf', stranger.token)).html).toMatch(/^%PDF-1\./);
});
