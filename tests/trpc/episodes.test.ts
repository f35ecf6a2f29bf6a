import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import { recoverEpisodes, settleAudio } from '~/server/domain/episodes/audio-check';
import { goLive } from '~/server/domain/episodes/publishing';
import { systemCtx } from '~/server/runtime';
import { DAYS, earlier, HOURS, later, MINUTES } from '~/server/time';
import { as, audioKey, creator, draft, person, product, runJobs, uploaded } from '../support/people';
import '../support/matchers';
import { testRuntime } from '../support/runtime';

const { runtime, clock } = await testRuntime();
const start = clock.now;
const visitor = await as(runtime, null);
const lucia = await creator(runtime);
const max = await creator(runtime);
const tom = await person(runtime);
const podcast = await product(runtime, lucia);

const check = () =>
  runJobs(runtime, 'episodes.check-audio', (job: { episodeId: number }, ctx) => settleAudio(ctx, job.episodeId));
const live = (id: number) => visitor.episodes.get({ id });

test('an episode is in progress until its audio was read, then everybody hears it', async () => {
  const made = await draft(runtime, lucia, podcast);
  expect(made).toMatchObject({ status: 'in_progress', url: null });
  await expect(live(made.id)).toFailWith('common.not_found');

  await check();

  const heard = await live(made.id);
  expect(heard).toMatchObject({ status: 'published', hasAccess: true, privateNote: null, releaseDate: start });
  expect(heard.durationSeconds).toBeCloseTo(3, 1);
  expect(heard.url).toBe(`http://altavoz.localhost:3000/audio/${made.id}/primera-ola.mp3`);
});

test('while its file is read an episode can be neither released nor held back', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Impatient' });

  await expect(lucia.api.episodes.release({ id: made.id })).toFailWith('episode.already_changed');
  await expect(lucia.api.episodes.hold({ id: made.id })).toFailWith('episode.already_changed');

  await check();
  expect(await live(made.id)).toMatchObject({ status: 'published' });
});

test('a time that is moved while the file is read is kept', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Postponed' });
  const [job] = await runtime.queue.boss.fetch<{ episodeId: number }>('episodes.check-audio');
  const later3 = later(start, DAYS(3));
  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', releaseDate: later3 });

  await settleAudio(systemCtx(runtime, 'episodes.check-audio'), job!.data.episodeId);

  const settled = await lucia.api.episodes.get({ id: made.id });
  expect(settled).toMatchObject({ status: 'scheduled', releaseDate: later3 });
});

test('another file for an episode that is held back does not publish it', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Withheld' });
  await check();
  await lucia.api.episodes.hold({ id: made.id });

  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', fileKey: await audioKey(runtime, lucia.token) });
  await check();

  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ status: 'on_hold' });
  await lucia.api.episodes.release({ id: made.id });
  expect(await live(made.id)).toMatchObject({ status: 'published' });
});

test('a check and a release whose jobs were lost are asked for again, and given up after a day', async () => {
  const stuck = await draft(runtime, lucia, podcast, { name: 'Stuck' });
  const due = await draft(runtime, lucia, podcast, { name: 'Due', releaseDate: later(start, HOURS(1)) });
  await settleAudio(systemCtx(runtime, 'episodes.check-audio'), due.id);
  await runJobs(runtime, 'episodes.check-audio', async () => {});
  await runJobs(runtime, 'episodes.go-live', async () => {});
  clock.now = later(start, HOURS(2));
  await runtime.db.update(episodes).set({ updatedAt: start }).where(eq(episodes.id, stuck.id));

  await recoverEpisodes(systemCtx(runtime, 'episodes.recover'));
  await runJobs(runtime, 'episodes.go-live', (job: { episodeId: number }, ctx) => goLive(ctx, job));

  expect(await live(due.id)).toMatchObject({ status: 'published' });
  const asked = await runtime.queue.boss.fetch<{ episodeId: number }>('episodes.check-audio', { batchSize: 9 });
  expect(asked.map(({ data }) => data.episodeId)).toContain(stuck.id);
  clock.now = later(start, DAYS(2));
  await recoverEpisodes(systemCtx(runtime, 'episodes.recover'));
  expect(await lucia.api.episodes.get({ id: stuck.id })).toMatchObject({
    status: 'failed',
    failureReason: 'audio.check_failed',
  });
  clock.now = start;
});

test('what is no MP3 fails with its reason, and another file mends it', async () => {
  const html = await uploaded(runtime, lucia.token, 'episode_audio', Buffer.from('<!doctype html><p>hello</p>'));
  const made = await draft(runtime, lucia, podcast, { fileKey: html, name: 'Not sound' });
  await check();
  const failed = await lucia.api.episodes.forEditing({ id: made.id });
  expect(failed).toMatchObject({ status: 'failed', failureReason: 'audio.not_mp3' });

  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', fileKey: await audioKey(runtime, lucia.token) });
  await check();

  expect(await live(made.id)).toMatchObject({ status: 'published' });
});

test('a scheduled episode goes live at its time, not before', async () => {
  const at = later(start, HOURS(1));
  const made = await draft(runtime, lucia, podcast, { name: 'Later', releaseDate: at });
  await check();
  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ status: 'scheduled', releaseDate: at });
  await goLive(systemCtx(runtime, 'episodes.go-live'), { episodeId: made.id });
  await expect(live(made.id)).toFailWith('common.not_found');

  clock.now = at;
  await goLive(systemCtx(runtime, 'episodes.go-live'), { episodeId: made.id });

  expect(await live(made.id)).toMatchObject({ status: 'published' });
  clock.now = start;
});

test('a moment that was moved meanwhile is not kept', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Moved', releaseDate: later(start, HOURS(1)) });
  await check();
  await lucia.api.episodes.release({ id: made.id, releaseDate: later(start, DAYS(2)) });
  clock.now = later(start, HOURS(1));

  await goLive(systemCtx(runtime, 'episodes.go-live'), { episodeId: made.id });

  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ status: 'scheduled' });
  clock.now = start;
});

test('the past is refused, five minutes of it are not', async () => {
  const early = earlier(start, MINUTES(6));

  await expect(draft(runtime, lucia, podcast, { releaseDate: early })).toFailWith('episode.publish_time_in_past');
  await expect(draft(runtime, lucia, podcast, { releaseDate: earlier(start, MINUTES(4)) })).resolves.toBeTruthy();
  await check();
});

test('a refused episode leaves its file to be used again', async () => {
  const fileKey = await audioKey(runtime, lucia.token);

  await expect(draft(runtime, lucia, podcast, { fileKey, releaseDate: earlier(start, DAYS(1)) })).toFailWith(
    'episode.publish_time_in_past',
  );

  const [upload] = await runtime.db.select().from(uploads).where(eq(uploads.key, fileKey));
  expect(upload!.usedAt).toBeNull();
});

test('two tabs that send one file make one episode', async () => {
  const fileKey = await audioKey(runtime, lucia.token);
  const before = await runtime.db.$count(episodes);

  const outcomes = await Promise.allSettled([
    draft(runtime, lucia, podcast, { fileKey, name: 'Tab one' }),
    draft(runtime, lucia, podcast, { fileKey, name: 'Tab two' }),
  ]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await runtime.db.$count(episodes)).toBe(before + 1);
  await check();
});

test('an episode that is held back leaves the page, and two tabs release it once', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Held' });
  await check();
  await lucia.api.episodes.hold({ id: made.id });
  await expect(live(made.id)).toFailWith('common.not_found');

  const outcomes = await Promise.allSettled([
    lucia.api.episodes.release({ id: made.id }),
    lucia.api.episodes.release({ id: made.id }),
  ]);

  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await live(made.id)).toMatchObject({ status: 'published' });
});

test('a script in a description never comes out', async () => {
  const made = await draft(runtime, lucia, podcast, {
    name: 'Sly',
    description: '<p>Hi <img src=x onerror=alert(1)></p><script>alert(1)</script><a href="javascript:alert(1)">x</a>',
  });

  expect(made.description).toBe('<p>Hi </p><a rel="nofollow noopener">x</a>');
  await check();
});

test('private episodes of a free product are their owner’s alone', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Mine', type: 'private' });
  await check();

  const listed = await visitor.episodes.list({ productId: podcast.id, search: 'Mine' });

  expect(listed.total).toBe(0);
  await expect(live(made.id)).toFailWith('common.not_found');
  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ hasAccess: true });
});

test('nobody else touches an episode', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Untouched' });
  await check();
  const { id, kind } = made;

  for (const [who, code] of [
    [max.api, 'common.not_found'],
    [tom.api, 'common.not_authorized'],
    [visitor, 'common.unauthenticated'],
  ] as const) {
    await expect(who.episodes.update({ id, kind, name: 'Mine' })).toFailWith(code);
    await expect(who.episodes.remove({ id })).toFailWith(code);
    await expect(who.episodes.hold({ id })).toFailWith(code);
    await expect(who.episodes.release({ id })).toFailWith(code);
    await expect(who.episodes.forEditing({ id })).toFailWith(code);
  }
  const foreign = draft(runtime, max, podcast, { name: 'Guest' });
  await expect(foreign).toFailWith('common.not_found');
  expect(await live(id)).toMatchObject({ name: 'Untouched' });
});

test('an upload of somebody else is no file of one’s own', async () => {
  const fileKey = await audioKey(runtime, max.token);

  await expect(draft(runtime, lucia, podcast, { fileKey })).toFailWith('upload.not_found');
});

test('a changed slug redirects on the public page', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Renamed', slug: 'first-name' });
  await check();
  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', slug: 'second-name' });

  const asked = await visitor.pages.episode({
    domain: lucia.domain,
    slug: podcast.slug,
    episodeSlug: 'first-name',
  });

  expect(asked.moved).toEqual({ domain: lucia.domain, slug: podcast.slug, episodeSlug: 'second-name' });
});

test('a removed episode takes its file along', async () => {
  const made = await draft(runtime, lucia, podcast, { name: 'Gone' });
  await check();
  const [row] = await runtime.db.select().from(episodes).where(eq(episodes.id, made.id));

  await lucia.api.episodes.remove({ id: made.id });

  await expect(live(made.id)).toFailWith('episode.not_found');
  const jobs = await runtime.queue.boss.fetch<{ keys: string[] }>('media.remove-objects', { batchSize: 10 });
  expect(jobs.flatMap(({ data }) => data.keys)).toContain(row!.audioKey);
});
