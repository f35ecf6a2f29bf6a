import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import { listeningDays } from '~/db/schema/listening';
import { HISTORY_LIMITS } from '~/server/limits/statistics';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, clock, lucia, ada, make, podcast, series } = await cast();
const { db } = runtime;
const ref = { id: podcast.id, kind: 'podcast' } as const;

clock.now = new Date('2026-11-26T12:00:00Z');

beforeEach(async () => {
  await db.delete(importedSources);
  await db.delete(listeningDays);
});

const DAYS = 'date,downloads\n2026-11-20,100\n2026-11-21,110\n2026-11-23,130\n';
const upload = (text: string, owner = lucia) => make.upload(owner, 'statistics', Buffer.from(text));
const save = async (text: string, over: object = {}) =>
  lucia.api.importedHistory.save({ ...ref, statisticsKey: await upload(text), host: 'libsyn', ...over });
const shown = (over: object = {}) =>
  lucia.api.statistics.ofShow({ ...ref, zone: 'UTC', from: '2026-11-20', to: '2026-11-23', ...over });

test('a file is shown before it is stored, as often as its creator corrects what was found', async () => {
  const statisticsKey = await upload('published,date,downloads\n2026-01-01,03/04/2026,7\n2026-01-01,05/04/2026,x\n');

  const first = await lucia.api.importedHistory.preview({ ...ref, statisticsKey });
  const second = await lucia.api.importedHistory.preview({ ...ref, statisticsKey, order: 'dmy', date: 1 });

  expect(first).toMatchObject({ question: 'order', example: '03/04/2026', figures: 0, fileName: 'list.csv' });
  expect(second).toMatchObject({
    ...{ question: null, figures: 1, plays: 7, from: '2026-04-03', to: '2026-04-03', columns: { date: 1, plays: 2 } },
    problems: [{ row: 3, reason: 'bad_number', text: '2026-01-01 · 05/04/2026 · x' }],
  });
  expect(await db.$count(importedPlays)).toBe(0);
});

test('imported figures are beside ours in the chart, and in no sum', async () => {
  const own = { creatorId: lucia.creatorId, productId: podcast.id };
  await db.insert(listeningDays).values({ ...own, day: '2026-11-21', downloads: 5 });

  const saved = await save(DAYS);

  expect(saved).toMatchObject({ added: 3, changed: 0, leftOut: 0 });
  const { imported, totals, evolution } = await shown();
  expect(imported).toEqual({
    since: '2026-11-20',
    series: [{ id: saved.sourceId, name: 'Libsyn', plays: [100, 110, null, 130], isByMonth: false }],
  });
  expect(totals.plays).toBe(5);
  expect(evolution.map(({ plays }) => plays)).toEqual([0, 5, 0, 0]);
  expect((await lucia.api.statistics.ofCreator({ zone: 'UTC' })).totals.plays).toBe(5);
});

test('importing a file again changes nothing, and a newer one replaces the figures of its days', async () => {
  const first = await save(DAYS);

  const again = await save(DAYS);
  const newer = await save('date,downloads\n2026-11-23,131\n2026-11-24,9\n');

  expect(again).toMatchObject({ sourceId: first.sourceId, added: 0, changed: 0 });
  expect(newer).toMatchObject({ sourceId: first.sourceId, added: 1, changed: 1 });
  expect(await lucia.api.importedHistory.sources(ref)).toMatchObject([
    { name: 'Libsyn', figures: 4, from: '2026-11-20', to: '2026-11-24' },
  ]);
});

test('one upload is stored once, also by two requests at a time', async () => {
  const statisticsKey = await upload(DAYS);
  const both = ['libsyn', 'podbean'].map((host) =>
    lucia.api.importedHistory.save({ ...ref, statisticsKey, host: host as 'libsyn' }),
  );

  const outcomes = await Promise.allSettled(both);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await db.$count(importedPlays)).toBe(3);
});

test('hosts are apart from each other, and one that is not in our list has a name', async () => {
  await save(DAYS);
  await save('date,downloads\n2026-11-20,1\n', { host: 'other', name: 'Mi servidor' });

  const { imported } = await shown();

  expect(imported.series.map(({ name, plays }) => [name, plays[0]])).toEqual([
    ['Libsyn', 100],
    ['Mi servidor', 1],
  ]);
  await expect(save(DAYS, { host: 'other' })).toFailWith('history.name_required');
});

test('episodes are summed up, and a row without a title is left out', async () => {
  const file = 'date,episode,downloads\n2026-11-20,One,3\n2026-11-20,Two,4\n2026-11-21,,9\n2026-11-21,One,5\n';
  const statisticsKey = await upload(file);

  const { leftOut, problems } = await lucia.api.importedHistory.preview({ ...ref, statisticsKey });
  await save(file);

  const { imported } = await shown();
  expect(leftOut).toEqual({ no_episode: 1 });
  expect(problems).toEqual([{ row: 4, reason: 'no_episode', text: '2026-11-21 · · 9' }]);
  expect(imported.series[0]?.plays).toEqual([7, 5, null, null]);
});

test('a file of the whole show takes the place of its episodes', async () => {
  await save('date,episode,downloads\n2026-11-20,One,3\n2026-11-21,One,4\n');
  await save('date,downloads\n2026-11-21,9\n');

  const { imported } = await shown();

  expect(imported.series[0]?.plays).toEqual([3, 9, null, null]);
});

test('figures of months are in charts by month only, where a month is whole', async () => {
  await save('month,downloads\n2026-09,1000\n2026-10,2000\n2026-11,500\n');

  const byDay = await shown({ from: '2026-10-01' });
  const byMonth = await shown({ from: '2026-09-15', to: '2026-11-26', granularity: 'month' });

  expect(await lucia.api.importedHistory.sources(ref)).toMatchObject([{ isByMonth: true, figures: 3 }]);
  expect(byDay.imported.series[0]).toMatchObject({ isByMonth: true });
  expect(byDay.imported.series[0]?.plays.every((plays) => plays === null)).toBe(true);
  expect(byMonth.imported.series[0]).toMatchObject({ plays: [null, 2000, null], isByMonth: false });
});

test('days are summed up by week and month, and a month takes the place of its days', async () => {
  await save(DAYS);
  await save('month,downloads\n2026-10,2000\n');
  await save('date,downloads\n2026-10-30,7\n2026-10-31,8\n', { host: 'libsyn', period: 'day' });

  const weeks = await shown({ granularity: 'week', from: '2026-11-16' });
  const months = await shown({ granularity: 'month', from: '2026-10-01' });

  expect(weeks.imported.series[0]?.plays).toEqual([210, 130]);
  expect(months.imported.series[0]?.plays).toEqual([2000, 340]);
});

test('a host is removed after its name was typed, with all of its figures', async () => {
  const { sourceId } = await save(DAYS);
  const remove = (confirmation: string) => lucia.api.importedHistory.remove({ ...ref, sourceId, confirmation });

  await expect(remove('Podbean')).toFailWith('history.not_confirmed');
  expect(await db.$count(importedPlays)).toBe(3);
  await remove(' libsyn ');

  expect(await db.$count(importedPlays)).toBe(0);
  expect(await lucia.api.importedHistory.sources(ref)).toEqual([]);
  await remove('Libsyn');
});

test('a creator reads, changes and removes nothing of another one', async () => {
  const { sourceId } = await save(DAYS);
  const own = await make.product(ada);
  const theirs = { id: own.id, kind: 'podcast' } as const;
  const statisticsKey = await upload(DAYS);
  const { importedHistory } = ada.api;

  await expect(importedHistory.sources(ref)).toFailWith('product.not_found');
  await expect(importedHistory.preview({ ...theirs, statisticsKey })).toFailWith('upload.not_found');
  await expect(importedHistory.save({ ...theirs, statisticsKey, host: 'libsyn' })).toFailWith('upload.not_found');
  const mine = await upload(DAYS, ada);
  await expect(importedHistory.save({ ...ref, statisticsKey: mine, host: 'libsyn' })).toFailWith('product.not_found');
  await expect(importedHistory.remove({ ...ref, sourceId, confirmation: 'Libsyn' })).toFailWith('product.not_found');
  await importedHistory.remove({ ...theirs, sourceId, confirmation: 'Libsyn' });
  expect(await db.$count(importedPlays)).toBe(3);
});

test('a show has a limited number of hosts, and the one too many leaves nothing', async () => {
  for (let host = 0; host < HISTORY_LIMITS.sources; host += 1)
    await save('date,downloads\n2026-11-20,1\n', { host: 'other', name: `Host ${host}` });

  await expect(save(DAYS)).toFailWith('history.too_many_sources');

  expect(await db.$count(importedSources)).toBe(HISTORY_LIMITS.sources);
  expect(await db.$count(importedPlays)).toBe(HISTORY_LIMITS.sources);
});

test('a file without a readable figure is refused, and stays usable', async () => {
  const statisticsKey = await upload('date,downloads\nTotal,5\n');
  const input = { ...ref, statisticsKey, host: 'libsyn' } as const;

  await expect(lucia.api.importedHistory.save(input)).toFailWith('history.nothing');

  expect((await lucia.api.importedHistory.preview(input)).leftOut).toEqual({ bad_date: 1 });
});

test('the chart of all shows has a line for each host, which adds up the shows that came from it', async () => {
  const other = { id: series.id, kind: 'audio_series' as const };
  await save(DAYS);
  await lucia.api.importedHistory.save({ ...other, statisticsKey: await upload(DAYS), host: 'libsyn' });
  const few = await upload('date,downloads\n2026-11-22,7\n');
  await lucia.api.importedHistory.save({ ...other, statisticsKey: few, host: 'ivoox' });
  const asked = { zone: 'UTC', from: '2026-11-20', to: '2026-11-23' };

  const { imported, totals } = await lucia.api.statistics.ofCreator(asked);
  const filtered = await lucia.api.statistics.ofCreator({ ...asked, country: 'ES' });
  const others = await ada.api.statistics.ofCreator(asked);

  expect(imported.since).toBe('2026-11-20');
  expect(imported.series.map(({ name, plays }) => [name, ...plays])).toEqual([
    ['Libsyn', 200, 220, null, 260],
    ['iVoox', null, null, 7, null],
  ]);
  expect(totals.plays).toBe(0);
  expect(filtered.imported.series).toEqual([]);
  expect(others.imported).toEqual({ since: null, series: [] });
});

test('months of one show stay apart from the days of another one in a chart of days', async () => {
  await save(DAYS);
  const months = await upload('month,downloads\n2026-10,900\n2026-11,50\n');
  await lucia.api.importedHistory.save({
    ...{ id: series.id, kind: 'audio_series', statisticsKey: months, host: 'libsyn', period: 'month' },
  });
  const asked = { zone: 'UTC', from: '2026-11-01', to: '2026-11-26' } as const;

  const { imported } = await lucia.api.statistics.ofCreator(asked);
  const byMonth = await lucia.api.statistics.ofCreator({ ...asked, from: '2026-10-01', granularity: 'month' });

  expect(imported.series.map(({ name, isByMonth }) => [name, isByMonth])).toEqual([
    ['Libsyn', false],
    ['Libsyn', true],
  ]);
  expect(byMonth.imported.series.map(({ plays }) => plays)).toEqual([[900, 340]]);
});

test('figures of another show are not in the chart', async () => {
  await save(DAYS, { id: series.id, kind: 'audio_series' });

  expect((await shown()).imported).toEqual({ since: null, series: [] });
  expect(await db.$count(importedSources, eq(importedSources.productId, series.id))).toBe(1);
});
