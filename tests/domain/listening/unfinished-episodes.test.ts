import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes as episodeTable } from '~/db/schema/episodes';
import { episodePositions } from '~/db/schema/listening';
import { earlier, later, MINUTES, SECONDS } from '~/server/base/time';
import { POSITION_LIMITS } from '~/server/limits/listening';
import '../../support/matchers';
import { cast } from '../../support/cast';

const { runtime, clock, make, visitor, episodes, paidPodcast } = await cast();
const { public: first, trailer } = episodes.podcast;
/** A report a second after the last one: of two at the same time, the first counts. */
const stopped = (id: number, seconds: number, over = {}) => {
  clock.now = later(clock.now, SECONDS(1));
  return { id, seconds, ...over };
};

test('another device continues the episodes that were started last, and finished ones leave the list', async () => {
  const { api } = await make.person();
  await api.listening.savePosition(stopped(first.id, 42));
  await api.listening.savePosition(stopped(trailer.id, 3.5));

  const started = await api.listening.unfinished();
  await api.listening.savePosition(stopped(trailer.id, 0, { finished: true }));

  expect(started.map(({ id, seconds }) => [id, seconds])).toEqual([
    [trailer.id, 3.5],
    [first.id, 42],
  ]);
  expect((await api.listening.unfinished()).map(({ id }) => id)).toEqual([first.id]);
  expect(await api.listening.progress({ episodeIds: [first.id, trailer.id, 999_999] })).toEqual({
    [first.id]: { seconds: 42, isPlayed: false },
    [trailer.id]: { seconds: 0, isPlayed: true },
  });
});

test('a mark as not played counts as not started, and the first moments do not count', async () => {
  const { api } = await make.person();
  await api.listening.savePosition(stopped(first.id, 0, { finished: true }));
  await api.listening.savePosition(stopped(trailer.id, 1));
  await api.listening.savePosition(stopped(first.id, 0, { finished: false }));

  expect(await api.listening.unfinished()).toEqual([]);
  expect(await api.listening.progress({ episodeIds: [first.id] })).toEqual({
    [first.id]: { seconds: 0, isPlayed: false },
  });
});

test('each listener sees only their own progress, and visitors none', async () => {
  const [one, other] = [await make.person(), await make.person()];
  await one.api.listening.savePosition(stopped(first.id, 42));

  expect(await other.api.listening.unfinished()).toEqual([]);
  expect(await other.api.listening.progress({ episodeIds: [first.id] })).toEqual({});
  await expect(visitor.listening.unfinished()).toFailWith('common.unauthenticated');
  await expect(visitor.listening.progress({ episodeIds: [first.id] })).toFailWith('common.unauthenticated');
});

test('an episode that the listener may no longer hear is not offered', async () => {
  const { id, api } = await make.person();
  const { private: hidden } = episodes.paidPodcast;
  const row = { userId: id, positionMs: 42_000, updatedAt: runtime.now() };
  await runtime.db.insert(episodePositions).values([
    { ...row, episodeId: hidden.id },
    { ...row, episodeId: first.id },
  ]);
  const before = await api.listening.unfinished();
  await runtime.db.update(episodeTable).set({ status: 'on_hold' }).where(eq(episodeTable.id, first.id));

  expect(before.map((episode) => episode.id)).toEqual([first.id]);
  expect(paidPodcast.priceMinor).not.toBeNull();
  expect(await api.listening.unfinished()).toEqual([]);
  await runtime.db.update(episodeTable).set({ status: 'published' }).where(eq(episodeTable.id, first.id));
});

test('the list stays short, however much was started', async () => {
  const { id, api } = await make.person();
  const owner = await make.creator();
  const started = await make.episodes(await make.product(owner), POSITION_LIMITS.continued + 2);
  const row = (episode: { id: number }, i: number) => ({
    userId: id,
    episodeId: episode.id,
    positionMs: 42_000,
    updatedAt: earlier(runtime.now(), MINUTES(i)),
  });
  await runtime.db.insert(episodePositions).values(started.map(row));

  const expected = started.slice(0, POSITION_LIMITS.continued).map((episode) => episode.id);
  expect((await api.listening.unfinished()).map((episode) => episode.id)).toEqual(expected);
});
