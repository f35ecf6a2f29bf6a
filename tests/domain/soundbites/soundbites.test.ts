import { buffer } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { soundbites } from '~/db/schema/soundbites';
import { activity } from '~/db/schema/team';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { later } from '~/server/base/time';
import { refreshServed } from '~/server/domain/insertions/served-lengths';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { NEW_FILE_LIMITS } from '~/server/limits/media';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { insertionMakers } from '../../support/insertions';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, lucia, ada, visitor, make, pauseAt } = await cast();
const { db, ports } = runtime;
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const show = await make.product(lucia);

const feedSoundbites = async (slug: string) => {
  const feed = await publicFeed(runtime, { domain: lucia.domain, slug });
  if ('movedTo' in feed) throw new Error('moved');
  const { value } = await feed.pages.next();
  return value?.map((item) => item.soundbites);
};
const removeNow = () =>
  runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }, ctx) => removeUnused(ctx, { keys, folders: [] }));
const pageOf = (episode: { slug: string }, id: number, api = visitor) =>
  api.pages.soundbite({ domain: lucia.domain, slug: show.slug, episodeSlug: episode.slug, id });

test('a soundbite is cut from the episode, listed in the order of time, renamed and deleted with its file', async () => {
  const { id: episodeId } = await soundEpisode(show, { seconds: 30 });
  const late = await lucia.api.soundbites.add({ episodeId, title: ' The  end ', startMs: 20_000, endMs: '0:28' });
  const early = await lucia.api.soundbites.add({ episodeId, title: 'Beginning', startMs: '0:01.5', endMs: 9000 });
  const [row] = await db.select().from(soundbites).where(eq(soundbites.id, late.id));
  const file = await buffer(await ports.storage.read(row!.audioKey));

  await lucia.api.soundbites.rename({ id: late.id, title: 'End' });

  const listed = await lucia.api.soundbites.list({ episodeId });
  expect(listed.map(({ title, startMs, endMs }) => [title, startMs, endMs])).toEqual([
    ['Beginning', 1500, 9000],
    ['End', 20_000, 28_000],
  ]);
  expect(late.title).toBe('The end');
  const sound = await checkMp3(bufferSource(file), {});
  expect(sound.ok && Math.abs(sound.durationMs - 8000) < 100).toBe(true);
  await lucia.api.soundbites.remove({ id: late.id });
  await expect(lucia.api.soundbites.remove({ id: late.id })).toFailWith('soundbite.not_found');
  await removeNow();
  expect(await ports.storage.head(row!.audioKey)).toBeNull();
  expect((await lucia.api.soundbites.list({ episodeId })).map(({ id }) => id)).toEqual([early.id]);
  const actions = await db.select().from(activity).where(eq(activity.subjectId, episodeId)).orderBy(activity.id);
  expect(actions.map(({ action }) => action.replace('episode.soundbite_', ''))).toEqual([
    ...['added', 'added', 'renamed', 'deleted'],
  ]);
});

const { id: hostile } = await soundEpisode(show, { seconds: 30 });
test.each([
  ['an end before the start', { startMs: 9000, endMs: 3000 }, 'soundbite.too_short'],
  ['no length', { startMs: 9000, endMs: 9000 }, 'soundbite.too_short'],
  ['more than two minutes', { startMs: 0, endMs: 120_001 }, 'soundbite.too_long'],
  ['an end beyond the episode', { startMs: 20_000, endMs: 31_000 }, 'soundbite.outside'],
  ['a start beyond the episode', { startMs: 90_000, endMs: 99_000 }, 'soundbite.outside'],
  ['a negative start', { startMs: -1, endMs: 9000 }, 'chapter.time_invalid'],
  ['no number', { startMs: Number.NaN, endMs: 9000 }, 'chapter.time_invalid'],
  ['words for times', { startMs: 'soon', endMs: '1:99:99:99' }, 'chapter.time_invalid'],
  ['infinity', { startMs: 0, endMs: Number.POSITIVE_INFINITY }, 'chapter.time_invalid'],
  ['a title of 10 KB', { title: 'x'.repeat(10_240) }, 'field.too_long'],
  ['an empty title', { title: ' \u0000\n ' }, 'soundbite.title_required'],
])('a soundbite with %s is refused', async (_, over, code) => {
  const input = { episodeId: hostile, title: 'A', startMs: 0, endMs: 9000, ...over };

  await expect(lucia.api.soundbites.add(input as never)).toFailWith(code);
  expect(await db.$count(soundbites, eq(soundbites.episodeId, hostile))).toBe(0);
});

test('other creators learn nothing of a soundbite, and change none', async () => {
  const { id: episodeId } = await soundEpisode(show, { seconds: 30 });
  const { id } = await lucia.api.soundbites.add({ episodeId, title: 'Mine', startMs: 0, endMs: 9000 });

  await expect(ada.api.soundbites.list({ episodeId })).toFailWith('episode.not_found');
  await expect(ada.api.soundbites.add({ episodeId, title: 'A', startMs: 0, endMs: 9000 })).toFailWith(
    'episode.not_found',
  );
  await expect(ada.api.soundbites.rename({ id, title: 'Hers' })).toFailWith('soundbite.not_found');
  await expect(ada.api.soundbites.remove({ id })).toFailWith('soundbite.not_found');
  expect((await lucia.api.soundbites.list({ episodeId }))[0]?.title).toBe('Mine');
});

test('an episode has at most twenty soundbites, also if two are added at once', async () => {
  const { id: episodeId, audioKey } = await soundEpisode(show, { seconds: 30 });
  const own = { creatorId: lucia.creatorId, episodeId, sourceKey: audioKey!, audioKey: 'a', audioBytes: 1 };
  const rows = Array.from({ length: 19 }, (_, i) => ({ ...own, title: `${i}`, startMs: i, endMs: i + 9000 }));
  await db.insert(soundbites).values(rows);
  const input = { episodeId, title: 'Last', startMs: 0, endMs: 9000 };
  const stored = async () => (await ports.storage.list(`audio/${lucia.creatorId}/${episodeId}/soundbites/`, 10)).length;

  const pause = pauseAt('soundbite.cut');
  const first = lucia.api.soundbites.add(input);
  await pause.reachedBy(first);
  await lucia.api.soundbites.add(input);
  pause.goOn();

  await expect(first).toFailWith('soundbite.limit_reached');
  await expect(lucia.api.soundbites.add(input)).toFailWith('soundbite.limit_reached');
  await removeNow();
  expect(await stored()).toBe(1);
});

test('the file of a soundbite whose process was killed before its row is deleted, and those with a row stay', async () => {
  const { id: episodeId } = await soundEpisode(show, { seconds: 30 });
  const input = { episodeId, title: 'Killed', startMs: 0, endMs: 9000 };
  const stored = async () =>
    (await ports.storage.list(`audio/${lucia.creatorId}/${episodeId}/soundbites/`, 10)).map(({ key }) => key);
  await removeNow();
  const kept = await lucia.api.soundbites.add({ ...input, title: 'Kept' });
  const pause = pauseAt('soundbite.cut');
  const killed = lucia.api.soundbites.add(input);
  await pause.reachedBy(killed);
  // what a killed process leaves behind
  expect(await stored()).toHaveLength(2);
  const jobs = await db.execute<{ at: Date }>(sql`
    select start_after as at from pgboss.job where name = ${removeObjects.name} and state = 'created'
    order by start_after`);
  const inAnHour = later(clock.now, NEW_FILE_LIMITS.unusedFor);
  expect(jobs.map(({ at }) => new Date(at))).toEqual([inAnHour, inAnHour]);

  await removeNow();

  const [row] = await db.select().from(soundbites).where(eq(soundbites.id, kept.id));
  expect(await stored()).toEqual([row!.audioKey]);
  pause.goOn();
  await killed;
});

test('a soundbite that is cut while the audio is replaced is not added', async () => {
  const { id: episodeId } = await soundEpisode(show, { seconds: 30 });
  const input = { episodeId, title: 'Late', startMs: 0, endMs: 9000 };

  const pause = pauseAt('soundbite.cut');
  const cut = lucia.api.soundbites.add(input);
  await pause.reachedBy(cut);
  await db.update(episodes).set({ audioKey: 'audio/1/1/other.mp3' }).where(eq(episodes.id, episodeId));
  pause.goOn();

  await expect(cut).toFailWith('episode.already_changed');
  expect(await db.$count(soundbites, eq(soundbites.episodeId, episodeId))).toBe(0);
});

test('the feed has the soundbites of the current file, at the times of what its readers hear', async () => {
  const own = await make.product(lucia);
  const { id: episodeId } = await soundEpisode(own, { seconds: 30 });
  await lucia.api.soundbites.add({ episodeId, title: 'A & B', startMs: 5000, endMs: 20_000 });

  expect(await feedSoundbites(own.slug)).toEqual([[{ title: 'A & B', startMs: 5000, durationMs: 15_000 }]]);
  await campaign(own, [await clip(lucia, { seconds: 2 })]);
  await refreshServed(systemCtx(runtime, 'insertions.refresh-served'), { productId: own.id });
  const [[moved] = []] = (await feedSoundbites(own.slug)) ?? [];
  expect(Math.abs(moved!.startMs - 7000)).toBeLessThan(200);
  expect(Math.abs(moved!.durationMs - 15_000)).toBeLessThan(2);
  await db.update(soundbites).set({ sourceKey: 'former' }).where(eq(soundbites.episodeId, episodeId));
  expect(await feedSoundbites(own.slug)).toEqual([undefined]);
});

test('the page of a soundbite has its captions, for everyone who may hear the episode', async () => {
  const episode = await soundEpisode(show, { seconds: 30 });
  const vtt = 'WEBVTT\n\n00:06.000 --> 00:08.000\n<v Lucía>Escucha esto\n\n00:25.000 --> 00:27.000\nDespués\n';
  const content = Buffer.from(vtt).toString('base64');
  await lucia.api.episodes.uploadTranscript({ id: episode.id, fileName: 'a.vtt', content });
  const { id } = await lucia.api.soundbites.add({ episodeId: episode.id, title: 'Oye', startMs: 5000, endMs: 20_000 });

  const page = await pageOf(episode, id);

  expect(page).toMatchObject({ soundbite: { title: 'Oye', startMs: 5000 }, episode: { id: episode.id } });
  if (page.moved) throw new Error('moved');
  expect(page.soundbite.captions).toEqual([{ startMs: 1000, endMs: 3000, speaker: 'Lucía', text: 'Escucha esto' }]);
});

test.each([
  ['private', { type: 'private' }, 'soundbite.not_found'],
  ['scheduled', { status: 'scheduled' }, 'episode.not_found'],
  ['on hold', { status: 'on_hold' }, 'episode.not_found'],
  ['taken down', { takenDownAt: new Date('2026-01-01') }, 'page.taken_down'],
  ['deleted', { deletedAt: new Date('2026-01-01') }, 'episode.not_found'],
  ['in early access', { earlyUntil: new Date('2099-01-01') }, 'soundbite.not_found'],
] as const)('the soundbite of an episode that is %s has no page for visitors', async (_, over, code) => {
  const paid = await make.product(lucia, { priceMinor: 500 });
  const episode = await soundEpisode(paid, { seconds: 30 });
  const { id } = await lucia.api.soundbites.add({ episodeId: episode.id, title: 'A', startMs: 0, endMs: 9000 });
  await db.update(episodes).set(over).where(eq(episodes.id, episode.id));

  await expect(
    visitor.pages.soundbite({ domain: lucia.domain, slug: paid.slug, episodeSlug: episode.slug, id }),
  ).toFailWith(code);
});

test('a soundbite is found below its own episode only', async () => {
  const episode = await soundEpisode(show, { seconds: 30 });
  const other = await soundEpisode(show, { seconds: 30 });
  const { id } = await lucia.api.soundbites.add({ episodeId: episode.id, title: 'A', startMs: 0, endMs: 9000 });

  await expect(pageOf(other, id)).toFailWith('soundbite.not_found');
  await expect(pageOf(episode, id + 1000)).toFailWith('soundbite.not_found');
});
