import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { dailySalts } from '~/db/schema/listening';
import type { Delivery } from '~/server/domain/listening/downloads';
import { openRecorders } from '~/server/domain/listening/recorders';
import { cast } from '../../support/cast';
import { deliverAt, delivery, downloadsOf, PHONE, part, sumsOf, twoMinuteEpisode } from '../../support/deliveries';

const { runtime, make, visitorCtx, url } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);

const deliver = (time: string, given: Delivery) => deliverAt(visitorCtx, time, given);
const rowsOf = (episodeId: number) =>
  db.execute<{ day: string; first: string }>(sql`
    select day::text, to_char(first_at at time zone 'UTC', 'DD HH24:MI') as first from downloads
    where episode_id = ${episodeId} order by first_at`);

test('a listener just before and just after midnight is one download, on the first day', async () => {
  const episode = await twoMinuteEpisode(make);

  await deliver('2026-03-02 23:50', delivery(episode));
  await deliver('2026-03-03 00:10', delivery(episode));

  expect(await downloadsOf(db, episode.id)).toEqual({ total: 1, days: 1, rows: 1 });
  expect((await sumsOf(db, episode.productId)).days).toMatchObject([{ day: '2026-03-02', downloads: 1, listeners: 1 }]);
});

test('bytes from before and after midnight make a minute together', async () => {
  const episode = await twoMinuteEpisode(make);

  await deliver('2026-03-02 23:59', part(episode, 0, 641_000));
  expect(await downloadsOf(db, episode.id)).toMatchObject({ total: 0 });
  await deliver('2026-03-03 00:01', part(episode, 641_000, 1_281_000));

  expect(await downloadsOf(db, episode.id)).toEqual({ total: 1, days: 1, rows: 1 });
  expect(await rowsOf(episode.id)).toEqual([{ day: '2026-03-02', first: '02 23:59' }]);
});

/** The example of the guideline, §5.5.1: 3 downloads by calendar days, 3 by first touch, 2 by last touch. */
test('the guideline’s four requests are three downloads by the first touch', async () => {
  const episode = await twoMinuteEpisode(make);

  // Monday to Wednesday
  for (const time of ['2026-03-02 22:00', '2026-03-03 03:00', '2026-03-03 22:15', '2026-03-04 23:15'])
    await deliver(time, delivery(episode));

  expect(await rowsOf(episode.id)).toEqual([
    { day: '2026-03-02', first: '02 22:00' },
    { day: '2026-03-03', first: '03 22:15' },
    { day: '2026-03-04', first: '04 23:15' },
  ]);
  expect(await downloadsOf(db, episode.id)).toEqual({ total: 3, days: 3, rows: 3 });
});

/** The guideline, step 3: six agents behind one address, ten requests within a day. */
test('ten requests of six agents behind one address are six downloads', async () => {
  const episode = await twoMinuteEpisode(make);
  const agents = ['Overcast/3', 'AntennaPod/3', 'Podcasts/1', 'CastBox/8', 'PodcastAddict/v5', 'Pocket Casts/7'];

  for (const [i, agent] of [...agents, ...agents.slice(0, 4)].entries()) {
    const client = { ...PHONE, userAgent: agent };
    await deliver(`2026-03-0${i < 6 ? 2 : 3} ${i < 6 ? 20 + (i % 4) : 10 + i}:00`, delivery(episode, { client }));
  }

  expect(await downloadsOf(db, episode.id)).toEqual({ total: 6, days: 6, rows: 6 });
});

test('the window ends 24 hours after the first byte, whenever the last one was', async () => {
  const episode = await twoMinuteEpisode(make);

  for (const time of ['2026-03-02 12:00:00', '2026-03-03 00:00:00', '2026-03-03 11:59:59'])
    await deliver(time, delivery(episode));
  expect(await downloadsOf(db, episode.id)).toMatchObject({ total: 1 });
  await deliver('2026-03-03 12:00:00', delivery(episode));

  expect(await downloadsOf(db, episode.id)).toMatchObject({ total: 2 });
});

test('the salt of a day without downloads is not created by the next one', async () => {
  const episode = await twoMinuteEpisode(make);

  await deliver('2026-04-15 12:00', delivery(episode));

  const days = await db.select({ day: dailySalts.day }).from(dailySalts).orderBy(dailySalts.day);
  expect(days.map(({ day }) => day)).toContain('2026-04-15');
  expect(days.map(({ day }) => day)).not.toContain('2026-04-14');
});

test('another process, which has seen nothing of the evening, continues its windows', async () => {
  const episode = await twoMinuteEpisode(make);
  const other = createDb(url, { max: 1 });
  const later = ({ now }: { now: Date }) => ({ ...visitorCtx({ now }), recorders: openRecorders(other.db) });

  await deliver('2026-03-02 23:50', part(episode, 0, 700_000));
  await deliverAt(later, '2026-03-03 06:00', part(episode, 700_000, 1_500_000));
  await other.close();

  expect(await downloadsOf(db, episode.id)).toEqual({ total: 1, days: 1, rows: 1 });
});

test('deliveries of both days that are written together lead to one row', async () => {
  const episode = await twoMinuteEpisode(make);
  // the salts of all days are known, so that the deliveries below arrive at once
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03'])
    await deliver(`${day} 12:00`, delivery(episode, { client: { ...PHONE, address: `198.51.100.${day.at(-1)}` } }));
  const people = ['198.51.100.7', '198.51.100.8'].map((address) => ({ ...PHONE, address }));

  await Promise.all(
    people.flatMap((client) => [
      deliver('2026-03-03 00:00:01', part(episode, 600_000, 900_000, { client })),
      deliver('2026-03-02 23:59:58', part(episode, 0, 400_000, { client })),
      deliver('2026-03-03 00:00:02', part(episode, 900_000, 1_300_000, { client })),
      deliver('2026-03-02 23:59:59', part(episode, 400_000, 600_000, { client })),
    ]),
  );

  expect(await downloadsOf(db, episode.id)).toEqual({ total: 5, days: 5, rows: 5 });
  const days = (await rowsOf(episode.id)).map(({ day }) => day.slice(-2));
  expect(days).toEqual(['01', '02', '02', '02', '03']);
});

test('a download belongs to the quarter of an hour of its first byte', async () => {
  const episode = await twoMinuteEpisode(make);

  await deliver('2026-03-02 23:46', part(episode, 600_000, 700_000));
  // written late: the clock of this process is behind
  await deliver('2026-03-02 23:44', part(episode, 0, 600_000));
  await deliver('2026-03-03 00:20', part(episode, 700_000, 1_500_000));

  const { days, months } = await sumsOf(db, episode.productId);
  expect(days).toMatchObject([{ day: '2026-03-02', slots: { d: { 94: 1 } } }]);
  expect(months).toMatchObject([{ month: '2026-03-01', hours: { d: { '0223': 1 } } }]);
});
