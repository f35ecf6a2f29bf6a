import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { feedRedirects } from '~/db/schema/moving';
import { describeProblem } from '~/server/base/problems';
import { serveChapters } from '~/server/domain/episodes/chapters';
import { takeDownEpisode } from '~/server/domain/episodes/take-down-episode';
import { refreshServed } from '~/server/domain/insertions/served-lengths';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { takeDownProduct, takeDownProductsOf } from '~/server/domain/products/take-down-product';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { insertionDoor, audioPath as pathOf, range } from '../support/insertion-door';

const { runtime, make, soundEpisode, clip, campaign, ...stage } = await insertionDoor();
const { ask, play, newListener, changed, counted, impressionsOf } = stage;
const ctx = systemCtx(runtime, 'insertions.refresh-served');
const kind = 'podcast' as const;
const STATEMENT = { ground: 'law', reason: 'Una sentencia', isWhole: false } as const;

/** A show of a creator of its own, whose campaign runs before its episode. */
async function running() {
  const creator = await make.creator();
  const show = await make.product(creator, { slug: 'olas' });
  const episode = await soundEpisode(show, { seconds: 20 });
  const row = await campaign(show, [await clip(creator)]);
  await refreshServed(ctx, { productId: show.id });
  changed();
  return { creator, show, episode, campaign: row };
}
type Stage = Awaited<ReturnType<typeof running>>;

/** The lengths that the public feed states, the address that it redirects to, or its error. */
async function feedOf({ creator, show }: Stage): Promise<number[] | string> {
  try {
    const feed = await publicFeed(runtime, { domain: creator.domain, slug: show.slug });
    if ('movedTo' in feed) return feed.movedTo;
    const { value = [] } = await feed.pages.next();
    return value.map(({ audio }) => audio.bytes);
  } catch (error) {
    return describeProblem(error).kind;
  }
}

const remove = ({ creator, episode }: Stage) => creator.api.episodes.remove({ id: episode.id, kind });
const withdrawn = { begun: [404, 404], fresh: 404, impressions: 0, feed: 'not_found' } as const;
const goesOn = { begun: [206, 206], fresh: 200, impressions: 1 } as const;

type After = {
  /** The answers to who continues: at the address of the feed, and at that of the rendition. */
  begun: readonly [number, number];
  /** The answer to who begins. */
  fresh: number;
  impressions: number;
  /** What the feed says: as many lengths, another address, or nothing. */
  feed: 'same' | 'other length' | 'not_found' | 'moved';
  /** Whether who begins gets other bytes than before. */
  isOther?: boolean;
};

const NEW_ADDRESS = 'https://feeds.example.org/olas';
const CHANGES: [name: string, change: (stage: Stage) => Promise<unknown>, after: After][] = [
  ['the episode is deleted', remove, withdrawn],
  [
    'the episode is deleted and restored',
    async (all) => {
      await remove(all);
      await all.creator.api.episodes.restore({ id: all.episode.id, kind });
    },
    { ...goesOn, feed: 'same' },
  ],
  [
    'the audio is replaced',
    async ({ show, episode }) => {
      const { body: _, ...other } = await soundEpisode(show, { seconds: 25, seed: 8 });
      await runtime.db.delete(episodes).where(eq(episodes.id, other.id));
      const { audioKey, audioSha256, audioBytes, durationMs, headBytes } = other;
      const file = { audioKey, audioSha256, audioBytes, durationMs, headBytes };
      await runtime.db.update(episodes).set(file).where(eq(episodes.id, episode.id));
      await refreshServed(ctx, { productId: show.id });
    },
    { ...goesOn, feed: 'other length', isOther: true },
  ],
  [
    'the chapters change',
    async ({ creator, show, episode }) => {
      const chapters = [{ startMs: 0, title: 'Uno', url: null, imageKey: null }];
      await creator.api.episodes.saveChapters({ id: episode.id, kind, chapters });
      await serveChapters(systemCtx(runtime, 'episodes.write-head'), episode.id);
      await refreshServed(ctx, { productId: show.id });
    },
    { ...goesOn, feed: 'other length', isOther: true },
  ],
  [
    'the show leaves by a redirect',
    ({ show }) =>
      runtime.db.insert(feedRedirects).values({ productId: show.id, url: NEW_ADDRESS, createdAt: runtime.now() }),
    { ...goesOn, feed: 'moved' },
  ],
  ['the show is archived', ({ creator, show }) => creator.api.products.archive({ id: show.id, kind }), withdrawn],
  [
    'the episode is taken down',
    ({ episode }) => transact(ctx, (tx) => takeDownEpisode(tx, episode.id, STATEMENT)),
    withdrawn,
  ],
  ['the show is taken down', ({ show }) => transact(ctx, (tx) => takeDownProduct(tx, show.id, STATEMENT)), withdrawn],
  [
    'the creator is taken down',
    ({ creator }) => transact(ctx, (tx) => takeDownProductsOf(tx, creator.creatorId, STATEMENT)),
    withdrawn,
  ],
];

test.each(CHANGES)('a campaign runs while %s', async (_, change, after) => {
  const all = await running();
  const path = pathOf(all.episode);
  const before = await feedOf(all);
  const address = newListener();
  const first = await play(path, { address, ...range(0, 99_999) });
  const whole = await ask(first.path, { address: newListener() });
  await counted();

  await change(all);
  changed();

  const again = await play(path, { address, ...range(100_000) });
  const there = await ask(first.path, { address, ...range(100_000) });
  const fresh = await play(path, { address: newListener() });
  await counted();
  expect([again.status, there.status]).toEqual(after.begun);
  if (after.begun[0] === 206) {
    expect(Buffer.concat([first.body, again.body]).equals(whole.body)).toBe(true);
    expect(there.body.equals(again.body)).toBe(true);
  }
  expect(fresh.status).toBe(after.fresh);
  if (fresh.status === 200) expect(fresh.body.equals(whole.body)).toBe(!after.isOther);
  const now = await feedOf(all);
  const says = { not_found: 'not_found', moved: NEW_ADDRESS, same: before };
  if (after.feed === 'other length') expect(now).toEqual([fresh.body.length]);
  else expect(now).toEqual(says[after.feed]);
  expect(before).toEqual([whole.body.length]);

  // a listener who was cut off has the clip, but not the minute that counts
  const page = await all.creator.api.campaigns.get({ id: all.campaign.id });
  expect(page.state).toBe('running');
  const rows = await impressionsOf(all.campaign.id);
  const heard = fresh.status === 200 ? after.impressions + 1 : after.impressions;
  expect(rows.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(heard + 1);
});
