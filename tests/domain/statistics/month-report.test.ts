import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { notificationOptOuts, users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { episodeMonths, listeningDays } from '~/db/schema/listening';
import { outbox } from '~/db/schema/notifications';
import { monthReports } from '~/db/schema/statistics';
import { sendMonthReport as send, sendMonthReports as sendAll } from '~/server/domain/statistics/send-reports';
import { sendMonthReport, sendMonthReports } from '~/server/queue/jobs/statistics';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import '../../support/matchers';

const { runtime, clock, lucia, podcast, series, episodes } = await cast();
const { db } = runtime;
const [first, second] = Object.values(episodes.podcast);
const show = { creatorId: lucia.creatorId, productId: podcast.id };
const day = (date: string, rest: Partial<typeof listeningDays.$inferInsert> = {}) => ({ ...show, day: date, ...rest });

await db.update(creators).set({ timeZone: 'Europe/Madrid' }).where(eq(creators.id, lucia.creatorId));

beforeEach(async () => {
  clock.now = new Date('2026-12-01T12:00:00Z');
  for (const table of [listeningDays, episodeMonths, monthReports, outbox, notificationOptOuts]) await db.delete(table);
  await db.update(users).set({ language: 'en' }).where(eq(users.id, lucia.id));
});

const findDue = () => sendAll(systemCtx(runtime, sendMonthReports.name), {});
const sendQueued = () => runJobs(runtime, sendMonthReport.name, (payload, ctx) => send(ctx, payload));
const emails = () => db.select().from(outbox).where(eq(outbox.topic, 'month_report')).orderBy(outbox.createdAt);

/** Thirty plays in November, of which two are before midnight in Madrid, and ten in October. */
async function listenInNovember() {
  await db.insert(listeningDays).values([
    day('2026-09-30', { downloads: 1 }),
    day('2026-10-10', { downloads: 10 }),
    day('2026-11-05', {
      downloads: 20,
      listeners: 30,
      dimensions: { country: { ES: 12, MX: 8 }, app: { spotify: 20 } },
    }),
    day('2026-11-30', { downloads: 12, slots: { d: { '91': 10, '92': 2 } } }),
  ]);
}

test('a report has the month, the one before, the best episode and where the plays came from, in sentences', async () => {
  await listenInNovember();
  const month = { ...show, month: '2026-11-01' };
  await db.insert(episodeMonths).values([
    { ...month, episodeId: first!.id, downloads: 9, hours: { d: { '0510': 9 } } },
    { ...month, episodeId: second!.id, downloads: 21, hours: { d: { '0510': 19, '3023': 2 } } },
  ]);

  const report = await lucia.api.statistics.monthReport({ month: '2026-11' });

  expect(report).toMatchObject({ month: '2026-11', title: 'Report for November 2026' });
  expect(report.parts).toHaveLength(1);
  expect(report.parts[0]!.title).toBe(podcast.name);
  expect(report.parts[0]!.sentences).toEqual([
    'Your episodes were played 30 times in November 2026.',
    'That is 20 more than in October 2026.',
    'The best day was 5 November, with 20 plays.',
    `The most played episode was “${second!.name}”, with 19 plays.`,
    'On an average day, one person downloaded an episode.',
    'You published no new episode.',
    'The country with most plays was Spain: 12 of 20.',
    'The most used app was Spotify: 20 of 20 plays.',
  ]);
  expect(report.parts[0]!.chart!.values[4]).toBe(20);
  expect(report.parts[0]!.chart!.before).toHaveLength(31);
});

test.each([
  ['on hold', { status: 'on_hold' as const }],
  ['deleted', { deletedAt: new Date('2026-11-30T12:00:00Z') }],
])('an episode that is %s is not the best one', async (_, change) => {
  await listenInNovember();
  const month = { ...show, month: '2026-11-01' };
  await db.insert(episodeMonths).values([
    { ...month, episodeId: first!.id, downloads: 9, hours: { d: { '0510': 9 } } },
    { ...month, episodeId: second!.id, downloads: 21, hours: { d: { '0510': 21 } } },
  ]);
  await db.update(episodeRows).set(change).where(eq(episodeRows.id, second!.id));

  const report = await lucia.api.statistics.monthReport({ month: '2026-11' });
  await db.update(episodeRows).set({ status: 'published', deletedAt: null }).where(eq(episodeRows.id, second!.id));

  expect(report.parts[0]!.sentences).toContain(`The most played episode was “${first!.name}”, with 9 plays.`);
});

test('several shows have a part together and one each, most plays first', async () => {
  await listenInNovember();
  await db.insert(listeningDays).values({ ...day('2026-11-07', { downloads: 100 }), productId: series.id });

  const { parts } = await lucia.api.statistics.monthReport({});

  expect(parts.map(({ title, figures }) => [title, figures[0]!.value])).toEqual([
    [null, '130'],
    [series.name, '100'],
    [podcast.name, '30'],
  ]);
  expect(parts[0]!.bars[0]!.rows.map(({ name, value }) => [name, value])).toEqual([
    [series.name, 100],
    [podcast.name, 30],
  ]);
});

test('listeners a day of a show are an average from its own first play on', async () => {
  await listenInNovember();
  await db
    .insert(listeningDays)
    .values({ ...day('2026-11-21', { downloads: 9, listeners: 30 }), productId: series.id });

  const { parts } = await lucia.api.statistics.monthReport({});
  const page = await lucia.api.statistics.ofShow({ id: series.id, from: '2026-11-01', to: '2026-11-30', zone: 'UTC' });

  expect(page.totals.listenersPerDay).toBe(3);
  expect(parts.find(({ title }) => title === series.name)!.figures).toContainEqual({
    label: 'Listeners a day',
    value: '3',
  });
});

test('a few counted days have no average', async () => {
  await db.insert(listeningDays).values(day('2026-11-25', { downloads: 9, listeners: 9 }));

  const { parts } = await lucia.api.statistics.monthReport({ month: '2026-11' });

  expect(parts[0]!.sentences).toContain('Plays are counted since 25 November.');
  expect(JSON.stringify(parts)).not.toMatch(/average day|Listeners a day/);
});

test('a month that was counted in part begins with the first counted day, and an unfinished one has no report', async () => {
  await db.insert(listeningDays).values(day('2026-11-20', { downloads: 1, listeners: 22 }));

  const { parts } = await lucia.api.statistics.monthReport({ month: '2026-11' });

  expect(parts[0]!.sentences.slice(0, 4)).toEqual([
    'Your episodes were played once in November 2026.',
    'Plays are counted since 20 November.',
    'The best day was 20 November, with one play.',
    'On an average day, 2 people downloaded an episode.',
  ]);
  expect(parts[0]!.chart!.labels).toEqual(['20', '21', '22', '23', '24', '25', '26', '27', '28', '29', '30']);
  await expect(lucia.api.statistics.monthReport({ month: '2026-12' })).toFailWith('statistics.month_not_over');
});

test('a month before the first counted day, or without any, says that nothing was counted', async () => {
  const nothing = {
    figures: [],
    chart: null,
    bars: [],
    sentences: [expect.stringMatching(/^Nothing was counted in /)],
  };
  expect((await lucia.api.statistics.monthReport({})).parts).toMatchObject([nothing]);

  await db.insert(listeningDays).values(day('2026-10-31', { downloads: 1 }));

  expect((await lucia.api.statistics.monthReport({ month: '2026-09' })).parts).toMatchObject([nothing]);
  const { parts } = await lucia.api.statistics.monthReport({ month: '2026-10' });
  expect(parts[0]).toMatchObject({ chart: null });
  expect(parts[0]!.sentences).toContain('Plays are counted since 31 October.');
});

test('the email is sent once, on the morning of the 1st in the creator’s zone', async () => {
  await listenInNovember();
  clock.now = new Date('2026-12-01T05:30:00Z');
  await findDue();
  expect(await sendQueued()).toBe(0);

  clock.now = new Date('2026-12-01T06:10:00Z');
  await findDue();
  await findDue();
  expect(await sendQueued()).toBe(1);
  await send(systemCtx(runtime, sendMonthReport.name), { creatorId: lucia.creatorId, month: '2026-11' });
  await findDue();

  expect(await sendQueued()).toBe(0);
  const sent = await emails();
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[lucia.email, 'Your report for November 2026']]);
  expect(sent[0]!.text).toContain('That is 20 more than in October 2026.');
  expect(sent[0]!.text).toContain('/metric/report.pdf?month=2026-11');
});

test('it is in the creator’s language, and creators who turned it off or had no plays get none', async () => {
  await db.update(users).set({ language: 'es' }).where(eq(users.id, lucia.id));
  await listenInNovember();
  await findDue();
  await sendQueued();
  const [spanish] = await emails();
  expect(spanish!.text).toContain('Son 20 más que en octubre de 2026.');
  expect(spanish!.text).toContain('/es/metric/report.pdf?month=2026-11');

  await db.delete(monthReports);
  await db.insert(notificationOptOuts).values({ userId: lucia.id, topic: 'month_report' });
  await findDue();
  expect(await sendQueued()).toBe(1);
  expect(await emails()).toHaveLength(1);

  await db.delete(monthReports);
  await db.delete(listeningDays);
  await findDue();
  expect(await sendQueued()).toBe(0);
});

test('a report whose job was lost is sent after hours, and none after days', async () => {
  await listenInNovember();
  await db
    .insert(monthReports)
    .values({ creatorId: lucia.creatorId, month: '2026-11', queuedAt: new Date('2026-12-01T06:10:00Z') });
  await findDue();
  expect(await sendQueued()).toBe(0);

  clock.now = new Date('2026-12-01T13:10:00Z');
  await findDue();
  expect(await sendQueued()).toBe(1);

  await db.delete(monthReports);
  clock.now = new Date('2026-12-04T12:10:00Z');
  await findDue();
  expect(await sendQueued()).toBe(0);
});
