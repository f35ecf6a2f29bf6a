import { expect, test } from 'vitest';
import { settleAudio } from '~/server/domain/episodes/audio-check';
import { choosePlan } from '~/server/domain/plans/choose-plan';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

/** Cached pages and feeds stay unchanged until a change of their creator or product is announced. */
const { runtime, client, lucia, make } = await cast();
const changedTags: string[] = [];
await client.listen('changed', (tag) => changedTags.push(tag));

/** Waits for all earlier notifications. They arrive in the order of their commits. */
async function announced(): Promise<string[]> {
  await client.notify('changed', 'end');
  await expect.poll(() => changedTags.at(-1)).toBe('end');
  return changedTags.splice(0).slice(0, -1);
}

type Product = Awaited<ReturnType<typeof make.product>>;
const system = systemCtx(runtime, 'episodes.check-audio');
const check = (episodeId: number) => settleAudio(system, episodeId);

async function published(of: Product): Promise<number> {
  const { id } = await make.draft(lucia, of);
  await check(id);
  return id;
}

/** Each change: its preparation, and the change itself, which gets the preparation's result. */
const CHANGES: Record<string, [before: (of: Product) => Promise<number>, change: (id: number) => Promise<unknown>]> = {
  'a checked episode': [async (of) => (await make.draft(lucia, of)).id, check],
  'an edited episode': [published, (id) => lucia.api.episodes.update({ id, kind: 'podcast', name: 'Edited' })],
  'an unpublished episode': [published, (id) => lucia.api.episodes.hold({ id })],
  'a deleted episode': [published, (id) => lucia.api.episodes.remove({ id })],
  'an edited product': [
    async ({ id }) => id,
    (id) => lucia.api.products.update({ id, kind: 'podcast', name: 'Edited' }),
  ],
  'a retired product': [async ({ id }) => id, (id) => lucia.api.products.retire({ id, kind: 'podcast' })],
};

test.each(Object.entries(CHANGES))('%s is announced as a change of its product', async (_, [before, change]) => {
  const podcast = await make.product(lucia);
  const id = await before(podcast);
  await announced();

  await change(id);

  expect(await announced()).toContain(`product:${podcast.id}`);
});

test.each([
  ['a new product', async () => lucia.api.products.create(await make.productInput(lucia))],
  ['a new name of the creator', () => lucia.api.creators.update({ name: 'Lucía R.' })],
  [
    'another plan',
    () => transact(system, (tx) => choosePlan(tx, { creatorId: lucia.creatorId, plan: 'BASIC', since: runtime.now() })),
  ],
])('%s is announced as a change of the creator', async (_, change) => {
  await announced();

  await change();

  expect(await announced()).toEqual([`creator:${lucia.creatorId}`]);
});
