import { expect, test } from 'vitest';
import { rowsOf } from '~/app/features/studio/statistics/statistics-csv.server';
import { statisticsChanges } from '~/db/schema/listening';
import { cast } from '../../support/cast';

const { runtime, clock, lucia, ada, podcast, series } = await cast();
const { db } = runtime;
const { creatorId } = lucia;
clock.now = new Date('2026-11-26T12:00:00Z');

const change = (day: string, [fromDay, toDay]: [string, string], over: object = {}) => ({
  ...{ creatorId, productId: podcast.id, day, fromDay, toDay, reason: 'machines' as const, listens: 0 },
  downloads: -10,
  ...over,
});
const OCTOBER = ['2026-10-01', '2026-10-31'] as [string, string];
const asked = { zone: 'UTC', from: '2026-11-20', to: '2026-11-25' };

await db
  .insert(statisticsChanges)
  .values([
    change('2026-11-22', OCTOBER),
    change('2026-11-22', OCTOBER, { downloads: -5 }),
    change('2026-11-24', ['2026-09-01', '2026-09-30'], { reason: 'recount', listens: 2, downloads: 1 }),
    change('2026-11-26', ['2026-11-01', '2026-11-20']),
    change('2026-11-19', OCTOBER),
    change('2026-11-22', OCTOBER, { productId: series.id, downloads: -100 }),
    change('2026-11-22', OCTOBER, { creatorId: ada.creatorId, productId: 999, downloads: -1000 }),
  ]);

test('a show lists the corrections of its period: those made in it, and those of its figures', async () => {
  const { changes } = await lucia.api.statistics.ofShow({ id: podcast.id, ...asked });

  expect(changes).toEqual([
    { day: '2026-11-26', reason: 'machines', from: '2026-11-01', to: '2026-11-20', listens: 0, downloads: -10 },
    { day: '2026-11-24', reason: 'recount', from: '2026-09-01', to: '2026-09-30', listens: 2, downloads: 1 },
    { day: '2026-11-22', reason: 'machines', from: '2026-10-01', to: '2026-10-31', listens: 0, downloads: -15 },
  ]);
});

test('all shows list each recount once', async () => {
  const { changes } = await lucia.api.statistics.ofCreator(asked);

  expect(changes.map(({ day, downloads }) => [day, downloads])).toEqual([
    ['2026-11-26', -10],
    ['2026-11-24', 1],
    ['2026-11-22', -115],
  ]);
});

test('the file of the chart notes a correction on its day', async () => {
  const found = await lucia.api.statistics.ofShow({ id: podcast.id, ...asked });

  const rows = rowsOf('evolution', { view: found as never })!;

  expect(rows[0]?.at(-1)).toBe('corrected_days');
  expect(rows.slice(1).map((row) => row.at(-1))).toEqual([
    '',
    '',
    '2026-10-01/2026-10-31: -15',
    '',
    '2026-09-01/2026-09-30: 3',
    '',
  ]);
});
