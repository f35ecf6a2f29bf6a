import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { pick } from '../../base/fields';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { DIRECTORY_NAMES } from '../reference/directories';
import { recordAbout } from '../team/activity';
import { markProductChanged } from './mark-product-changed';
import { findProductRecord } from './queries';
import type { UpdateListings } from './schema';
import { type ProductView, toProductView } from './views';

/** Stores the show's pages in directories, which its public page then links to. Other listings stay unchanged. */
export async function updateListings(ctx: Ctx, input: UpdateListings): Promise<ProductView> {
  const { product: found } = await findProductRecord(ctx, input.id, input.kind);
  const product = authorize(ctx, 'product.manage', found);
  const changes = JSON.stringify(pick(input, DIRECTORY_NAMES));
  await transact(ctx, async (tx) => {
    await tx.db
      .update(products)
      .set({
        // merged by the database, so that two tabs don't undo each other's changes
        listings: sql`jsonb_strip_nulls(${products.listings} || ${changes}::jsonb)`,
        updatedAt: tx.now(),
      })
      .where(eq(products.id, product.id));
    await recordAbout(tx, 'product.listed', product);
    await markProductChanged(tx, product.id);
    await markCreatorChanged(tx, product.creatorId);
  });
  return toProductView(ctx, await findProductRecord(ctx, product.id));
}

type SpotifyShow = { productId: number; url: string };

/** Fills in the show's page on Spotify, once Spotify has approved it. An address that the creator has given stays. */
export async function fillSpotifyUrl(tx: TxCtx, { productId, url }: SpotifyShow): Promise<void> {
  await changeSpotifyUrl(tx, { productId, from: isNull(products.spotifyShowUrl), to: url });
}

/** Removes the address that `fillSpotifyUrl` has filled in; another one stays. */
export async function clearSpotifyUrl(tx: TxCtx, { productId, url }: SpotifyShow): Promise<void> {
  await changeSpotifyUrl(tx, { productId, from: eq(products.spotifyShowUrl, url), to: null });
}

type SpotifyChange = { productId: number; from: SQL; to: string | null };

async function changeSpotifyUrl(tx: TxCtx, { productId, from, to }: SpotifyChange): Promise<void> {
  const [changed] = await tx.db
    .update(products)
    .set({ spotifyShowUrl: to, updatedAt: tx.now() })
    .where(and(eq(products.id, productId), from))
    .returning({ creatorId: products.creatorId });
  if (!changed) return;
  await markProductChanged(tx, productId);
  await markCreatorChanged(tx, changed.creatorId);
}
