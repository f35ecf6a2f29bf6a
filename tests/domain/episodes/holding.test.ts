import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { DAYS, later } from '~/server/base/time';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';

const { runtime, clock, lucia, podcast, make, checkNewAudio } = await cast();
const start = clock.now;
// some tests continue after the trial
await runtime.db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO' });
const { episodes } = lucia.api;
const get = (id: number) => episodes.forEditing({ id });

test('a draft stays on hold after its check, without a release time, until its owner publishes it', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Draft', hold: true });
  await checkNewAudio();
  expect(await get(made.id)).toMatchObject({ status: 'on_hold', releaseDate: null, isHeld: true });

  clock.now = later(start, DAYS(2));
  await episodes.release({ id: made.id });

  expect(await get(made.id)).toMatchObject({ status: 'published', releaseDate: clock.now, isHeld: false });
});

test('lists tell drafts from unpublished episodes; for API clients both are on hold', async () => {
  const show = await make.product(lucia, { name: 'Drafts' });
  const draft = await make.draft(lucia, show, { name: 'Never released', hold: true });
  const held = await make.draft(lucia, show, { name: 'Released once' });
  await checkNewAudio();
  await episodes.hold({ id: held.id, kind: 'podcast' });
  const ids = async (status: 'draft' | 'unpublished' | 'on_hold') =>
    (await episodes.list({ productId: show.id, status, ordering: 'name' })).items.map(({ id }) => id);

  expect([await ids('draft'), await ids('unpublished')]).toEqual([[draft.id], [held.id]]);
  expect(await ids('on_hold')).toEqual([draft.id, held.id]);
});

test('a draft whose file is still being checked can be released, and another episode can become a draft', async () => {
  const draft = await make.draft(lucia, podcast, { name: 'Released early', hold: true });
  const other = await make.draft(lucia, podcast, { name: 'Held early' });
  await episodes.update({ id: draft.id, kind: 'podcast', hold: false, releaseDate: null });
  await episodes.update({ id: other.id, kind: 'podcast', hold: true });

  await checkNewAudio();

  expect([(await get(draft.id)).status, (await get(other.id)).status]).toEqual(['published', 'on_hold']);
});

test('editing publishes, schedules and unpublishes an episode on request', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'Edited', hold: true });
  await checkNewAudio();
  const edit = async (change: { hold: boolean; releaseDate?: Date | null }) =>
    (await episodes.update({ id, kind: 'podcast', ...change })).status;

  expect(await edit({ hold: false, releaseDate: later(clock.now, DAYS(1)) })).toBe('scheduled');
  expect(await edit({ hold: true, releaseDate: null })).toBe('on_hold');
  expect(await get(id)).toMatchObject({ releaseDate: null });
  expect(await edit({ hold: false, releaseDate: null })).toBe('published');
});

test('publishing again keeps the original release date, unless another one is given', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'Paused' });
  await checkNewAudio();
  const original = (await get(id)).releaseDate;
  clock.now = later(clock.now, DAYS(5));

  await episodes.hold({ id });
  expect(await get(id)).toMatchObject({ formerReleaseDate: original });
  await episodes.release({ id });
  expect(await get(id)).toMatchObject({ status: 'published', releaseDate: original });

  await episodes.hold({ id });
  await episodes.release({ id, releaseDate: null });
  expect(await get(id)).toMatchObject({ releaseDate: clock.now });
});

test('an episode that was put on hold before its release time is published now', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'Never out', releaseDate: later(clock.now, DAYS(1)) });
  await checkNewAudio();
  await episodes.hold({ id });
  clock.now = later(clock.now, DAYS(3));

  await episodes.release({ id });

  expect(await get(id)).toMatchObject({ status: 'published', releaseDate: clock.now });
});

test.each([
  ['held by the check', false],
  ['held at its release time', true],
])('a public episode that was %s and then gets another file is published now', async (name, isScheduled) => {
  const releaseDate = isScheduled ? later(clock.now, DAYS(1)) : null;
  const paid = await make.product(lucia, { name });
  const secret = await make.draft(lucia, paid, { name: 'Private', type: 'private' });
  const { id } = await make.draft(lucia, paid, { name, releaseDate });
  await runtime.db.update(products).set({ priceMinor: 500 }).where(eq(products.id, paid.id));
  await episodes.update({ id: secret.id, kind: 'podcast', hold: true });
  await checkNewAudio();
  clock.now = later(clock.now, DAYS(1));
  if (isScheduled) await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: id });
  expect(await get(id)).toMatchObject({ status: 'on_hold', failureReason: 'episode.public_exceeds_private' });

  await episodes.update({ id, kind: 'podcast', fileKey: await make.upload(lucia, 'episode_audio') });
  await checkNewAudio();
  expect(await get(id)).toMatchObject({ status: 'on_hold', formerReleaseDate: null });
  await runtime.db.update(products).set({ priceMinor: null }).where(eq(products.id, paid.id));
  clock.now = later(clock.now, DAYS(1));
  await episodes.release({ id });

  expect(await get(id)).toMatchObject({ status: 'published', releaseDate: clock.now });
});
