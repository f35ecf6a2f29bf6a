import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { spotifyLinks, spotifyShows } from '~/db/schema/spotify';
import { grantAccess } from '~/server/domain/access/grant-access';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import type { DemoPerson } from '~/server/seed/demo-types';
import { seedSpotify } from '~/server/seed/spotify';
import { cast } from '../support/cast';
import { demoCast } from '../support/demo-cast';

const { runtime, lucia, tom, podcast, paidPodcast, series, spotifySandbox } = await cast();
const { db } = runtime;
const [person] = demoCast('spotify');
const own = (slug: string, onSpotify?: 'approved' | 'in_review' | 'rejected') => ({
  ...person!.products[0]!,
  slug,
  onSpotify,
});
const shows = [own(paidPodcast.slug, 'approved'), own(podcast.slug, 'in_review'), own(series.slug, 'rejected')];
const PEOPLE: DemoPerson[] = [
  { ...person!, email: 'tom@mail.example', spotifyAccount: 'tom', creator: undefined, products: [] },
  { ...person!, email: 'lucia@mail.example', spotifyAccount: 'lucia', products: shows },
];

test('the demo has a show in each state, and a listener with an account; repeating it changes nothing', async () => {
  const grant = { userId: tom.id, productId: paidPodcast.id, source: 'purchase' as const };
  await transact(systemCtx(runtime, 'test'), (tx) => grantAccess(tx, grant));
  await seedSpotify(runtime, PEOPLE, spotifySandbox);
  await seedSpotify(runtime, PEOPLE, spotifySandbox);

  const stateOf = async ({ id }: { id: number }) =>
    (await db.select().from(spotifyShows).where(eq(spotifyShows.productId, id)))[0];
  expect(await stateOf(paidPodcast)).toMatchObject({ state: 'live', remoteStatusText: 'ingested and valid' });
  expect(await stateOf(podcast)).toMatchObject({ state: 'submitted', remoteStatusText: 'awaiting ingestion' });
  expect(await stateOf(series)).toMatchObject({ state: 'requested', failure: 'spotify.duplicate_show' });
  const links = await db.select().from(spotifyLinks).orderBy(spotifyLinks.userId);
  const paid = `show_${paidPodcast.id}`;
  expect(links.map(({ userId, state, accountName }) => [userId, state, accountName])).toEqual([
    [lucia.id, 'linked', 'lucia'],
    [tom.id, 'linked', 'tom'],
  ]);
  expect(links[1]!.entitlements).toEqual([paid]);
  const local = await spotifySandbox!.get();
  expect(await local.store.entitlementsOf(links[1]!.partnerUserId)).toEqual([paid]);
});

test('with a contract, Spotify does not hear of the demo', async () => {
  const before = await db.$count(spotifyLinks);
  await seedSpotify(runtime, PEOPLE, null);
  expect(await db.$count(spotifyLinks)).toBe(before);
});
