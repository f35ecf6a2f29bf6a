import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { episodeChapters } from '~/db/schema/episode-parts';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { episodeMinutes } from '~/db/schema/heard-minutes';
import { members } from '~/db/schema/team';
import { MINUTES, SECONDS } from '~/server/base/time';
import { cast } from '../../support/cast';

const { runtime, lucia, ada, make, as, podcast, episodes } = await cast();
const { db } = runtime;
const [first, second] = Object.values(episodes.podcast);
const of = { creatorId: lucia.creatorId, productId: podcast.id, episodeId: first!.id };

await db
  .update(episodeRows)
  .set({ durationMs: MINUTES(3) + SECONDS(20) })
  .where(eq(episodeRows.id, first!.id));

beforeEach(async () => {
  await db.delete(episodeMinutes);
});

test('the curve has the listeners of each minute in all months, with the chapters', async () => {
  await db.insert(episodeMinutes).values([
    { ...of, month: '2026-10-01', listeners: 3, minutes: 6, heard: { '0': 3, '1': 2, '3': 1 } },
    { ...of, month: '2026-11-01', listeners: 1, minutes: 2, heard: { '0': 1, '2': 1 } },
  ]);
  const chapter = (startMs: number, title: string) => ({ startMs, title, url: null, imageKey: null });
  await db.insert(episodeChapters).values({
    episodeId: first!.id,
    chapters: [chapter(0, 'Hello'), chapter(MINUTES(2) + 1, 'Waves'), chapter(MINUTES(9), 'Beyond')] as never,
  });

  const found = await lucia.api.statistics.retention({ id: first!.id });

  expect(found).toEqual({
    ...{ listeners: 4, minutes: expect.closeTo(7 + 1 / 3), average: expect.closeTo(1 + 5 / 6), length: 3 + 1 / 3 },
    curve: [4, 2, 1, 1],
    chapters: [
      { minute: 0, title: 'Hello' },
      { minute: 2, title: 'Waves' },
    ],
  });
});

test('a show has the average of each episode that was heard in our player', async () => {
  await db.insert(episodeMinutes).values({ ...of, month: '2026-10-01', listeners: 3, minutes: 6, heard: { '3': 3 } });

  expect(await lucia.api.statistics.heardOfShow({ id: podcast.id })).toEqual({
    [first!.id]: { listeners: 3, minutes: expect.closeTo(4), average: expect.closeTo(4 / 3), length: 3 + 1 / 3 },
  });
  expect(await lucia.api.statistics.retention({ id: second!.id })).toBeNull();
});

test('a member who may not read episodes gets the curve without the chapters', async () => {
  await db.insert(episodeMinutes).values({ ...of, month: '2026-10-01', listeners: 3, minutes: 6, heard: { '0': 3 } });
  const member = await make.person();
  await db.insert(members).values({ creatorId: lucia.creatorId, userId: member.id, role: 'finance' });
  await runtime.sessions.workFor(member.token, lucia.creatorId);
  const api = await as(member, 'web');
  await db.update(episodeRows).set({ status: 'on_hold' }).where(eq(episodeRows.id, first!.id));

  const found = await api.statistics.retention({ id: first!.id });
  const own = await lucia.api.statistics.retention({ id: first!.id });
  await db.update(episodeRows).set({ status: 'published' }).where(eq(episodeRows.id, first!.id));

  expect(found).toMatchObject({ curve: [3, 0, 0, 0], chapters: [] });
  expect(own!.chapters).toHaveLength(2);
});

test('another creator finds neither', async () => {
  await expect(ada.api.statistics.retention({ id: first!.id })).rejects.toThrow();
  await expect(ada.api.statistics.heardOfShow({ id: podcast.id })).rejects.toThrow();
});
