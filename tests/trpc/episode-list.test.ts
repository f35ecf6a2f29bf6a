import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { DAYS, HOURS, later } from '~/server/base/time';
import { settleAudio } from '~/server/domain/episodes/audio-check';
import { purgeDeleted, restoreAll } from '~/server/domain/episodes/delete-episode';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { EPISODE_FLAGS, type EpisodeFlag } from '~/server/domain/episodes/rules';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { removeObjects } from '~/server/queue/jobs/media';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { cast } from '../support/cast';
import { isDeep } from '../support/deep';
import { runJobs } from '../support/run-jobs';

const { runtime, clock, lucia, ada, podcast, visitor, make, checkNewAudio } = await cast();
const start = clock.now;
const { db } = runtime;
const { api } = lucia;
const kind = 'podcast' as const;

const rowOf = async (id: number) => (await db.select().from(episodes).where(eq(episodes.id, id)))[0]!;
const statesOf = (ids: number[]) =>
  db
    .select({ type: episodes.type, status: episodes.status, releaseAt: episodes.releaseAt })
    .from(episodes)
    .where(inArray(episodes.id, ids))
    .orderBy(episodes.id);
const exists = async (key: string) => (await runtime.ports.storage.head(key)) !== null;
const purge = () => purgeDeleted(systemCtx(runtime, 'episodes.purge-deleted'));
const removeFiles = () =>
  runJobs(runtime, removeObjects.name, ({ keys, folders = [] }: { keys: string[]; folders?: string[] }, ctx) =>
    removeUnused(ctx, { keys, folders }),
  );

async function after<T>(ms: number, run: () => Promise<T>): Promise<T> {
  clock.now = later(start, ms);
  try {
    return await run();
  } finally {
    clock.now = start;
  }
}

async function show(
  count: number,
  over: Parameters<typeof make.episodes>[2] = () => ({}),
  price: number | null = null,
) {
  const product = await make.product(lucia, { priceMinor: price });
  const rows = await make.episodes(product, count, over);
  return { product, ids: rows.map(({ id }) => id) };
}

test('a deleted episode is invisible at every door, and its owner can restore it for seven days', async () => {
  const { product, ids } = await show(3);
  const [id = 0, next = 0] = ids;
  const { slug } = await rowOf(id);
  await api.episodes.remove({ id });

  for (const caller of [visitor, api]) {
    await expect(caller.episodes.get({ id })).toFailWith('episode.not_found');
    await expect(caller.listening.open({ id, kind })).toFailWith('episode.not_found');
    await expect(caller.listening.url({ id, kind })).toFailWith('episode.not_found');
    expect((await caller.episodes.list({ productId: product.id })).total).toBe(2);
    expect((await caller.listening.others({ id: next })).items.map((item) => item.id)).not.toContain(id);
    const address = { domain: lucia.domain, slug: product.slug, episodeSlug: slug };
    await expect(caller.pages.episode(address)).toFailWith('episode.not_found');
  }
  await expect(api.episodes.remove({ id })).toFailWith('episode.not_found');
  await expect(api.episodes.update({ id, kind, name: 'New' })).toFailWith('episode.not_found');
  expect(await api.products.forEditing({ id: product.id, kind })).toMatchObject({ allEpisodesCount: 2 });
  const listed = await api.episodes.deleted({ productId: product.id });
  expect(listed).toMatchObject({ total: 1, items: [{ id, deletedAt: start, restorableUntil: later(start, DAYS(7)) }] });

  await after(DAYS(7) - HOURS(1), () => api.episodes.restore({ id }));

  expect(await visitor.episodes.get({ id })).toMatchObject({ id, status: 'published', slug });
});

test('after seven days an episode can’t be restored, and the job deletes its row and its files', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Gone' });
  await checkNewAudio();
  const { audioKey } = await rowOf(made.id);
  await api.episodes.remove({ id: made.id });
  await purge();
  await removeFiles();
  const during = await exists(audioKey!);

  await after(DAYS(7) + 1000, async () => {
    await expect(api.episodes.restore({ id: made.id })).toFailWith('episode.not_found');
    await Promise.all([purge(), purge()]);
  });
  await removeFiles();

  expect([during, await exists(audioKey!)]).toEqual([true, false]);
  expect(await rowOf(made.id)).toBeUndefined();
});

test('an episode that is restored while the job runs stays', async () => {
  const { ids } = await show(1);
  await api.episodes.remove({ id: ids[0]! });

  const [restored] = await Promise.allSettled([api.episodes.restore({ id: ids[0]! }), after(DAYS(8), purge)]);

  const left = await rowOf(ids[0]!);
  expect(restored.status === 'fulfilled' ? left?.deletedAt : left).toBe(
    restored.status === 'fulfilled' ? null : undefined,
  );
});

test('an episode that is deleted while its audio is checked can be restored with its audio', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Deleted early' });
  const checking = settleAudio(systemCtx(runtime, 'episodes.check-audio'), made.id);
  await api.episodes.remove({ id: made.id });
  await checking;
  await runJobs(runtime, 'episodes.check-audio', async () => {});
  await removeFiles();

  await api.episodes.restore({ id: made.id });
  await checkNewAudio();

  expect(await visitor.episodes.get({ id: made.id })).toMatchObject({ status: 'published' });
});

test('a deleted episode gives its slug to another, and gets a new one when it is restored', async () => {
  const { product, ids } = await show(1);
  const { slug } = await rowOf(ids[0]!);
  await api.episodes.remove({ id: ids[0]! });
  const other = await make.draft(lucia, product, { slug });

  const restored = await api.episodes.restore({ id: ids[0]! });

  expect(other.slug).toBe(slug);
  expect(restored.slug).toMatch(new RegExp(`^${slug}-[0-9a-f]{8}$`));
});

test('a restored episode is on hold if it may not be published any more, or its time has passed', async () => {
  const paid = await show(2, (i) => ({ type: i === 0 ? 'private' : 'public' }), 500);
  await api.episodes.remove({ id: paid.ids[1]! });
  await api.episodes.remove({ id: paid.ids[0]! });
  const free = await show(1, () => ({ status: 'scheduled', releaseAt: later(start, HOURS(2)) }));
  await api.episodes.remove({ id: free.ids[0]! });
  await after(HOURS(3), () => publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: free.ids[0]! }));

  await api.episodes.restore({ id: paid.ids[1]! });
  await after(HOURS(3), () => api.episodes.restore({ id: free.ids[0]! }));

  expect(await rowOf(paid.ids[1]!)).toMatchObject({
    status: 'on_hold',
    failureReason: 'episode.public_exceeds_private',
  });
  expect(await rowOf(free.ids[0]!)).toMatchObject({ status: 'on_hold', failureReason: 'episode.release_missed' });
});

test('a private episode that the public ones need can’t be deleted, alone or with others', async () => {
  const { product, ids } = await show(2, (i) => ({ type: i === 0 ? 'private' : 'public' }), 500);

  await expect(api.episodes.remove({ id: ids[0]! })).toFailWith('episode.private_needed');
  const both = await api.episodes.change({ productId: product.id, action: 'delete', ids });

  expect(both).toMatchObject({ changed: 2, failed: [] });
});

test('a copy is a draft with the same audio, which is deleted with the last of both', async () => {
  const made = await make.draft(lucia, podcast, { name: '🎙️ Ola', privateNote: 'Note', season: 2, number: 5 });
  await checkNewAudio();
  const copy = await api.episodes.duplicate({ id: made.id });
  const [original, row] = [await rowOf(made.id), await rowOf(copy.id)];
  expect(copy).toMatchObject({ name: '🎙️ Ola (copy)', status: 'on_hold', season: 2, number: null, releaseDate: null });
  expect(row).toMatchObject({ audioKey: original.audioKey, description: original.description, privateNote: 'Note' });
  expect(row.guid).not.toBe(original.guid);

  await api.episodes.remove({ id: made.id });
  await after(DAYS(8), purge);
  await removeFiles();
  const withCopy = await exists(row.audioKey!);
  await api.episodes.release({ id: copy.id });
  await api.episodes.update({ id: copy.id, kind, fileKey: await make.upload(lucia, 'episode_audio') });
  await checkNewAudio();
  await removeFiles();

  expect([withCopy, (await rowOf(copy.id)).status]).toEqual([true, 'published']);
  const { audioKey } = await rowOf(copy.id);
  expect([audioKey === row.audioKey, await exists(row.audioKey!), await exists(audioKey!)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('a copy has every flag of its original', async () => {
  const set = Object.fromEntries(EPISODE_FLAGS.map((flag) => [flag, true])) as Record<EpisodeFlag, true>;
  const made = await make.draft(lucia, podcast, { name: 'Flagged' });
  await checkNewAudio();
  await api.episodes.update({ id: made.id, kind, ...set });

  expect(await api.episodes.duplicate({ id: made.id })).toMatchObject(set);
});

test('an episode without checked audio can’t be duplicated', async () => {
  const made = await make.draft(lucia, podcast, { name: 'Unchecked' });

  await expect(api.episodes.duplicate({ id: made.id })).toFailWith('episode.needs_audio');
  await checkNewAudio();
});

test.each(['private', 'public', 'hold', 'publish', 'delete'] as const)(
  '%s changes several episodes, and undo restores each',
  async (action) => {
    const statuses = ['published', 'on_hold', 'scheduled'] as const;
    const types = ['public', 'private', 'trailer'] as const;
    const { product, ids } = await show(9, (i) => ({
      status: statuses[i % 3]!,
      type: types[Math.floor(i / 3)]!,
      releaseAt: i % 3 === 2 ? later(start, HOURS(5)) : start,
    }));
    const before = await statesOf(ids);

    const { batchId, changed } = await api.episodes.change({ productId: product.id, action, ids: [...ids, ...ids] });
    const between = await api.episodes.list({ productId: product.id });
    const undone = await api.episodes.undoChange({ batchId: batchId! });

    expect(changed).toBeGreaterThan(2);
    if (action === 'delete') expect(between.total).toBe(0);
    else if (action === 'private' || action === 'public')
      expect(new Set(between.items.map((item) => item.type))).toEqual(new Set([action]));
    else
      expect(new Set(between.items.map((item) => item.status))).toEqual(
        new Set([action === 'hold' ? 'on_hold' : 'published']),
      );
    expect(undone).toEqual({ restored: changed, kept: 0 });
    expect(await statesOf(ids)).toEqual(before);
    await expect(api.episodes.undoChange({ batchId: batchId! })).toFailWith('episode.undo_not_found');
  },
);

test('restoring 60 episodes takes as many statements as restoring six, whatever becomes of them', async () => {
  const statementsFor = async (count: number) => {
    const statuses = ['published', 'scheduled', 'in_progress', 'on_hold'] as const;
    const over = (i: number) => ({
      status: statuses[i % 4]!,
      type: i % 3 === 0 ? ('private' as const) : ('public' as const),
      releaseAt: i % 8 === 1 ? later(start, HOURS(5)) : start,
    });
    const { product, ids } = await show(count, over, 500);
    await db.update(episodes).set({ deletedAt: start }).where(inArray(episodes.id, ids));
    let statements = 0;
    await transact(systemCtx(runtime, 'episodes.check-audio'), async (tx) => {
      const counting = new Proxy(tx.db, {
        get(target, name, receiver) {
          if (['select', 'update', 'delete', 'execute', '$count'].includes(String(name))) statements += 1;
          return Reflect.get(target, name, receiver);
        },
      });
      expect(await restoreAll({ ...tx, db: counting }, product.id, ids)).toBe(count);
    });
    return statements;
  };

  const few = await statementsFor(6);

  expect(await statementsFor(60)).toBeLessThanOrEqual(few + 3 * 4);
});

test('undo restores as many public episodes as the private ones allow, and slugs that are still free', async () => {
  const { product, ids } = await show(5, (i) => ({ type: i < 3 ? 'private' : 'public', slug: `s-${i}` }), 500);
  const deleted = ids.slice(2);
  const [, first = 0, second = 0] = deleted;
  const { batchId } = await api.episodes.change({ productId: product.id, action: 'delete', ids: deleted });
  await make.episodes(product, 2, (i) => ({ type: 'public', slug: `s-${i * 5 + 2}` }));
  await db.update(episodes).set({ slug: 's-3' }).where(eq(episodes.id, second));

  await api.episodes.undoChange({ batchId: batchId! });

  expect([(await rowOf(first)).status, (await rowOf(second)).status]).toEqual(['published', 'on_hold']);
  expect((await rowOf(second)).failureReason).toBe('episode.public_exceeds_private');
  const slugs = await Promise.all(deleted.map(async (id) => (await rowOf(id)).slug));
  expect(slugs).toEqual([/^s-2-[0-9a-f]{8}$/, /^s-3$/, /^s-3-[0-9a-f]{8}$/].map((slug) => expect.stringMatching(slug)));
});

test('undo leaves episodes that have changed since, and works for a day', async () => {
  const { product, ids } = await show(3);
  const { batchId } = await api.episodes.change({ productId: product.id, action: 'private' });
  await api.episodes.update({ id: ids[0]!, kind, type: 'trailer' });
  await api.episodes.remove({ id: ids[1]! });
  await after(DAYS(1) + 1, () =>
    expect(api.episodes.undoChange({ batchId: batchId! })).toFailWith('episode.undo_not_found'),
  );

  const undone = await api.episodes.undoChange({ batchId: batchId! });

  expect(undone).toEqual({ restored: 1, kept: 2 });
  expect((await statesOf(ids)).map(({ type }) => type)).toEqual(['trailer', 'private', 'public']);
});

test('two clicks on undo undo once', async () => {
  const { product } = await show(2);
  const { batchId } = await api.episodes.change({ productId: product.id, action: 'private' });

  const outcomes = await Promise.allSettled([1, 2].map(() => api.episodes.undoChange({ batchId: batchId! })));

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a batch reports the episodes that can’t change, and changes the others', async () => {
  const { product, ids } = await show(3, (i) => ({
    status: (['in_progress', 'failed', 'on_hold'] as const)[i]!,
    ...(i < 2 && { audioKey: null }),
  }));

  const result = await api.episodes.change({ productId: product.id, action: 'publish', ids });

  expect(result).toMatchObject({
    changed: 1,
    failed: [
      { id: ids[0], code: 'episode.being_checked' },
      { id: ids[1], code: 'episode.needs_audio' },
    ],
  });
});

test('a batch that breaks the public ≤ private rule changes nothing', async () => {
  const { product, ids } = await show(4, (i) => ({ type: i < 3 ? 'private' : 'public' }), 500);
  const before = await statesOf(ids);

  const tooMany = api.episodes.change({ productId: product.id, action: 'public', ids: ids.slice(0, 2) });
  await expect(tooMany).toFailWith('episode.public_exceeds_private');
  await expect(api.episodes.change({ productId: product.id, action: 'public' })).toFailWith(
    'episode.public_exceeds_private',
  );

  expect(await statesOf(ids)).toEqual(before);
});

test('a batch with another creator’s, an unknown or a deleted episode changes nothing, and answers the same', async () => {
  const { product, ids } = await show(2);
  const foreign = await make.product(ada, {});
  const [theirs] = await make.episodes(foreign, 1);
  await api.episodes.remove({ id: ids[1]! });

  for (const id of [theirs!.id, 999_999_999, ids[1]!]) {
    const batch = api.episodes.change({ productId: product.id, action: 'hold', ids: [ids[0]!, id] });
    await expect(batch).toFailWith('episode.not_found');
  }
  const onTheirs = { productId: foreign.id, action: 'hold' as const, ids: [theirs!.id] };
  await expect(api.episodes.change(onTheirs)).toFailWith('product.not_found');
  await expect(api.episodes.restore({ id: theirs!.id })).toFailWith('episode.not_found');
  await expect(ada.api.episodes.restore({ id: ids[1]! })).toFailWith('episode.not_found');
  const { batchId } = await api.episodes.change({ productId: product.id, action: 'private', ids: [ids[0]!] });
  await expect(ada.api.episodes.undoChange({ batchId: batchId! })).toFailWith('episode.undo_not_found');
  expect(await api.episodes.undoChange({ batchId: batchId! })).toEqual({ restored: 1, kept: 0 });
  expect((await statesOf([ids[0]!, theirs!.id])).map(({ status }) => status)).toEqual(['published', 'published']);
});

test('a batch has at most 100 ids, and only types change for all', async () => {
  const { product } = await show(1);
  const ids = Array.from({ length: 10_000 }, (_, i) => i + 1);

  await expect(api.episodes.change({ productId: product.id, action: 'hold', ids })).toFailWith(
    'episode.too_many_selected',
  );
  await expect(api.episodes.change({ productId: product.id, action: 'delete' })).toFailWith('episode.none_selected');
  await expect(api.episodes.change({ productId: product.id, action: 'hold', ids: [] })).toFailWith(
    'episode.none_selected',
  );
});

test('all episodes of a long show become private with one statement, and public again', async () => {
  const count = isDeep ? 2000 : 150;
  const { product } = await show(count, (i) => ({ slug: `e-${i}` }));

  const { batchId, changed } = await api.episodes.change({ productId: product.id, action: 'private' });
  const undone = await api.episodes.undoChange({ batchId: batchId! });

  expect([changed, undone]).toEqual([count, { restored: count, kept: 0 }]);
});
