import { lookupProductBySlug } from '../domain/products/queries';
import { checkShow } from '../domain/spotify/check-show';
import { deliverShow } from '../domain/spotify/deliver-show';
import { finishLinking, startLinking } from '../domain/spotify/link-account';
import { publishShow } from '../domain/spotify/publish-show';
import { lookupLink, lookupSpotifyShow } from '../domain/spotify/queries';
import * as schema from '../domain/spotify/schema';
import type { Lazy } from '../flow/open-once';
import { requireCreator, requireUser } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import type { SpotifySandbox } from '../sandbox/spotify/sandbox';
import { actAs } from './acting';
import type { DemoPerson, DemoProduct } from './demo-types';

/** Spotify's words for each state of a demo show; a rejected one gets none. */
const STATUSES = { approved: 'ingested and valid', in_review: 'awaiting ingestion' } as const;

/**
 * Links accounts at the local Spotify, and publishes shows there. Shows come first, so that listeners get them when they
 * link their accounts. Spotify itself doesn't know the demo.
 */
export async function seedSpotify(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  sandbox: Lazy<SpotifySandbox> | null,
): Promise<void> {
  const people = cast.filter(({ spotifyAccount }) => spotifyAccount !== undefined);
  if (!sandbox || people.length === 0) return;
  const local = await sandbox.get();
  const creators = people.filter(({ products }) => products.length > 0);
  for (const person of [...creators, ...people.filter((each) => !creators.includes(each))]) {
    const ctx = await actAs(runtime, person);
    await linkAccount(ctx, person.spotifyAccount!, local);
    for (const product of person.products) await publish(ctx, product, local);
  }
}

/** Agrees on Spotify's page like a browser. An earlier start may have done so. */
async function linkAccount(ctx: Ctx, account: string, { app }: SpotifySandbox): Promise<void> {
  const link = await lookupLink(ctx, requireUser(ctx).userId);
  if (link?.state === 'linked') return;
  const { url } = await startLinking(ctx);
  const agreed = await app.request(url, { method: 'POST', body: new URLSearchParams({ account }) });
  const back = new URL(agreed.headers.get('location') ?? '');
  await finishLinking(ctx, schema.finishLinking.parse(Object.fromEntries(back.searchParams)));
}

async function publish(ctx: Ctx, { slug, onSpotify }: DemoProduct, { store }: SpotifySandbox): Promise<void> {
  const found = onSpotify && (await lookupProductBySlug(ctx, requireCreator(ctx).creatorId, slug));
  if (!found) return;
  const { id: productId, name } = found.product;
  // another host's show with this name, which Spotify has had for longer
  const other = { uri: `spotify:show:other${productId}`, name, url: `https://feeds.example/${slug}.xml` };
  if (onSpotify === 'rejected') await store.submit({ ...other, at: ctx.now() });
  await publishShow(ctx, { productId });
  // the worker may do so, too: Spotify keeps one show for each feed
  await deliverShow(ctx, { productId });
  const uri = (await lookupSpotifyShow(ctx, productId))?.spotifyUri;
  if (!uri || onSpotify === 'rejected') return;
  await store.setStatus(uri, STATUSES[onSpotify]);
  await checkShow(ctx, { productId });
}
