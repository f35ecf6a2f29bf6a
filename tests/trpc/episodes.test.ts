import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import { DAYS, earlier, HOURS, later, MINUTES } from '~/server/base/time';
import { recoverEpisodes, settleAudio } from '~/server/domain/episodes/audio-check';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { updateEpisode } from '~/server/domain/episodes/schema';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { cast } from '../support/cast';
import { runJobs } from '../support/run-jobs';

const { runtime, clock, lucia, ada, tom, podcast, visitor, make, checkNewAudio } = await cast();
const start = clock.now;

const getAsVisitor = (id: number) => visitor.episodes.get({ id });

test('an episode is in progress until its audio has been checked, and then anyone can play it', async () => {
  const made = await make.draft(lucia, podcast);
  expect(made).toMatchObject({ status: 'in_progress', url: null });
  await expect(getAsVisitor(made.id)).toFailWith('episode.not_found');

  await checkNewAudio();

  const published = await getAsVisitor(made.id);
  expect(published).toMatchObject({ status: 'published', hasAccess: true, privateNote: null, releaseDate: start });
  expect(published.durationSeconds).toBeCloseTo(3, 1);
  expect(published.url).toBe(`http://altavoz.localhost:3000/audio/${made.id}/primera-ola.mp3`);
});

test('an episode can be neither published nor put on hold while its audio is being checked', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Impatient' });

  await expect(lucia.api.episodes.release({ id: made.id })).toFailWith('episode.being_checked');
  await expect(lucia.api.episodes.hold({ id: made.id })).toFailWith('episode.being_checked');

  await checkNewAudio();
  expect(await getAsVisitor(made.id)).toMatchObject({ status: 'published' });
});

test('a release time that changes during the check is kept', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Postponed' });
  const [job] = await runtime.queue.boss.fetch<{ episodeId: number }>('episodes.check-audio');
  const postponed = later(start, DAYS(3));
  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', releaseDate: postponed });

  await settleAudio(systemCtx(runtime, 'episodes.check-audio'), job!.data.episodeId);

  const settled = await lucia.api.episodes.get({ id: made.id });
  expect(settled).toMatchObject({ status: 'scheduled', releaseDate: postponed });
});

test('another file for an episode on hold does not publish it', async () => {
  const made = await make.draft(lucia, podcast, { name: 'On hold' });
  await checkNewAudio();
  await lucia.api.episodes.hold({ id: made.id });

  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', fileKey: await make.upload(lucia, 'episode_audio') });
  await checkNewAudio();

  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ status: 'on_hold' });
  await lucia.api.episodes.release({ id: made.id });
  expect(await getAsVisitor(made.id)).toMatchObject({ status: 'published' });
});

test('lost check and release jobs are enqueued again, and a check fails after a day', async () => {
  const stuck = await make.draft(lucia, podcast, { name: 'Stuck' });
  const due = await make.draft(lucia, podcast, { name: 'Due', releaseDate: later(start, HOURS(1)) });
  await settleAudio(systemCtx(runtime, 'episodes.check-audio'), due.id);
  await runJobs(runtime, 'episodes.check-audio', async () => {});
  await runJobs(runtime, 'episodes.go-live', async () => {});
  clock.now = later(start, HOURS(2));
  await runtime.db.update(episodes).set({ updatedAt: start }).where(eq(episodes.id, stuck.id));

  await recoverEpisodes(systemCtx(runtime, 'episodes.recover'));
  await runJobs(runtime, 'episodes.go-live', (job: { episodeId: number }, ctx) => publishDue(ctx, job));

  expect(await getAsVisitor(due.id)).toMatchObject({ status: 'published' });
  const enqueued = await runtime.queue.boss.fetch<{ episodeId: number }>('episodes.check-audio', { batchSize: 9 });
  expect(enqueued.map(({ data }) => data.episodeId)).toContain(stuck.id);
  clock.now = later(start, DAYS(2));
  await recoverEpisodes(systemCtx(runtime, 'episodes.recover'));
  expect(await lucia.api.episodes.get({ id: stuck.id })).toMatchObject({
    status: 'failed',
    failureReason: 'audio.check_failed',
  });
  clock.now = start;
});

test('a file that is not an MP3 fails with a reason, and another file repairs the episode', async () => {
  const html = await make.upload(lucia, 'episode_audio', Buffer.from('<!doctype html><p>hello</p>'));
  const made = await make.draft(lucia, podcast, { fileKey: html, name: 'Not sound' });
  await checkNewAudio();
  const failed = await lucia.api.episodes.forEditing({ id: made.id });
  expect(failed).toMatchObject({
    status: 'failed',
    failureReason: 'upload.renamed_an',
    failureParams: { format: 'HTML' },
  });

  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', fileKey: await make.upload(lucia, 'episode_audio') });
  await checkNewAudio();

  expect(await getAsVisitor(made.id)).toMatchObject({ status: 'published' });
});

test('a scheduled episode is published at its release time, not before', async () => {
  const at = later(start, HOURS(1));
  const made = await make.draft(lucia, podcast, { name: 'Later', releaseDate: at });
  await checkNewAudio();
  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ status: 'scheduled', releaseDate: at });
  await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: made.id });
  await expect(getAsVisitor(made.id)).toFailWith('episode.not_found');

  clock.now = at;
  await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: made.id });

  expect(await getAsVisitor(made.id)).toMatchObject({ status: 'published' });
  clock.now = start;
});

test('the job of a scheduled episode waits for its release time', async () => {
  // the queue has its own clock
  const queueTime = new Date();
  clock.now = earlier(queueTime, HOURS(2));
  const due = await make.draft(lucia, podcast, { name: 'Due', releaseDate: earlier(queueTime, HOURS(1)) });
  const early = await make.draft(lucia, podcast, { name: 'Early', releaseDate: later(queueTime, HOURS(1)) });
  await checkNewAudio();
  clock.now = start;

  const jobs = await runtime.queue.boss.fetch<{ episodeId: number }>('episodes.go-live', { batchSize: 50 });

  const enqueued = jobs.map(({ data }) => data.episodeId);
  expect([enqueued.includes(due.id), enqueued.includes(early.id)]).toEqual([true, false]);
});

test('the job of a former release time publishes nothing', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Moved', releaseDate: later(start, HOURS(1)) });
  await checkNewAudio();
  await lucia.api.episodes.release({ id: made.id, releaseDate: later(start, DAYS(2)) });
  clock.now = later(start, HOURS(1));

  await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: made.id });

  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ status: 'scheduled' });
  clock.now = start;
});

test('a release time in the past is rejected, unless it is less than five minutes ago', async () => {
  const early = earlier(start, MINUTES(6));

  await expect(make.draft(lucia, podcast, { releaseDate: early })).toFailWith('episode.publish_time_in_past');
  await expect(make.draft(lucia, podcast, { releaseDate: earlier(start, MINUTES(4)) })).resolves.toBeTruthy();
  await checkNewAudio();
});

test('a rejected episode leaves its upload unused', async () => {
  const fileKey = await make.upload(lucia, 'episode_audio');

  await expect(make.draft(lucia, podcast, { fileKey, releaseDate: earlier(start, DAYS(1)) })).toFailWith(
    'episode.publish_time_in_past',
  );

  const [upload] = await runtime.db.select().from(uploads).where(eq(uploads.key, fileKey));
  expect(upload!.usedAt).toBeNull();
});

test('two tabs that send the same file create one episode', async () => {
  const fileKey = await make.upload(lucia, 'episode_audio');
  const before = await runtime.db.$count(episodes);

  const outcomes = await Promise.allSettled([
    make.draft(lucia, podcast, { fileKey, name: 'Tab one' }),
    make.draft(lucia, podcast, { fileKey, name: 'Tab two' }),
  ]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await runtime.db.$count(episodes)).toBe(before + 1);
  await checkNewAudio();
});

test('an episode on hold is not public, and publishing it from two tabs at once works', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Held' });
  await checkNewAudio();
  await lucia.api.episodes.hold({ id: made.id });
  await expect(getAsVisitor(made.id)).toFailWith('episode.not_found');

  const outcomes = await Promise.allSettled([
    lucia.api.episodes.release({ id: made.id }),
    lucia.api.episodes.release({ id: made.id }),
  ]);

  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await getAsVisitor(made.id)).toMatchObject({ status: 'published' });
});

test('scripts are removed from a description', async () => {
  const made = await make.draft(lucia, podcast, {
    name: 'Script',
    description: '<p>Hi <img src=x onerror=alert(1)></p><script>alert(1)</script><a href="javascript:alert(1)">x</a>',
  });

  expect(made.description).toBe('<p>Hi </p><a>x</a>');
  await checkNewAudio();

  const changed = { description: '<p>New</p><script>alert(1)</script>' };
  const { description } = await lucia.api.episodes.update({ id: made.id, kind: 'podcast', ...changed });
  expect(description).toBe('<p>New</p>');
});

test('only the owner sees private episodes of a free product', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Mine', type: 'private' });
  await checkNewAudio();

  const listed = await visitor.episodes.list({ productId: podcast.id, search: 'Mine' });

  expect(listed.total).toBe(0);
  await expect(getAsVisitor(made.id)).toFailWith('episode.not_found');
  expect(await lucia.api.episodes.get({ id: made.id })).toMatchObject({ hasAccess: true });
});

test('only the owner can change an episode', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Untouched' });
  await checkNewAudio();
  const { id, kind } = made;

  for (const [caller, code] of [
    [ada.api, 'episode.not_found'],
    [tom.api, 'common.not_authorized'],
    [visitor, 'common.unauthenticated'],
  ] as const) {
    await expect(caller.episodes.update({ id, kind, name: 'Mine' })).toFailWith(code);
    await expect(caller.episodes.remove({ id })).toFailWith(code);
    await expect(caller.episodes.hold({ id })).toFailWith(code);
    await expect(caller.episodes.release({ id })).toFailWith(code);
    await expect(caller.episodes.forEditing({ id })).toFailWith(code);
  }
  const foreign = make.draft(ada, podcast, { name: 'Guest' });
  await expect(foreign).toFailWith('product.not_found');
  expect(await getAsVisitor(id)).toMatchObject({ name: 'Untouched' });
});

test('another user’s upload can’t be used', async () => {
  const fileKey = await make.upload(ada, 'episode_audio');

  await expect(make.draft(lucia, podcast, { fileKey })).toFailWith('upload.not_found');
});

test('a former slug redirects on the public page', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Renamed', slug: 'first-name' });
  await checkNewAudio();
  await lucia.api.episodes.update({ id: made.id, kind: 'podcast', slug: 'second-name' });

  const found = await visitor.pages.episode({
    domain: lucia.domain,
    slug: podcast.slug,
    episodeSlug: 'first-name',
  });

  expect(found.moved).toEqual({ domain: lucia.domain, slug: podcast.slug, episodeSlug: 'second-name' });
});

test('people of an episode are stored in their order, and shown to all visitors', async () => {
  const people = [
    { name: 'Ana & Co.', role: 'host' as const, url: 'https://ana.example/' },
    { name: 'Bo', role: 'guest' as const, url: null },
  ];
  const made = await make.draft(lucia, podcast, { name: 'With guests', people });
  await checkNewAudio();

  expect((await getAsVisitor(made.id)).people).toEqual(people);
  const feed = await publicFeed(runtime, { domain: lucia.domain, slug: podcast.slug });
  const items = 'pages' in feed ? (await feed.pages.next()).value! : [];
  expect(items.find(({ title }) => title === 'With guests')).toMatchObject({
    persons: [{ name: 'Ana & Co.', role: 'host', link: people[0]!.url }, { name: 'Bo' }],
  });
});

test.each([
  ['a script as link', [{ name: 'A', role: 'host', url: 'javascript:alert(1)' }]],
  ['no name', [{ name: ' ', role: 'host', url: null }]],
  ['an unknown role', [{ name: 'A', role: 'boss', url: null }]],
  ['too many', Array.from({ length: 21 }, () => ({ name: 'A', role: 'guest', url: null }))],
])('people are rejected: %s', (_, people) => {
  expect(updateEpisode.safeParse({ id: 1, kind: 'podcast', people }).success).toBe(false);
});
