import { eq } from 'drizzle-orm';
import { formerProductSlugs, products } from '~/db/schema/products';
import { claimSlug, keepFormerSlug } from '~/db/slug-history';
import { pick } from '../../base/fields';
import { requireCreator } from '../../policy/actor';
import { type Allowed, authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { findCreator } from '../creators/queries';
import { requirePublishing } from '../creators/suspend-publishing';
import { storeCover } from '../media/covers';
import { consumeUpload, findUsableUpload } from '../media/uploads';
import { requireRoomForProduct } from '../plans/quotas';
import { recordAbout } from '../team/activity';
import { productNotFound, slugTaken } from './errors';
import { newFeedGuid } from './feed-identity';
import { NO_OWNER, needsOwnerEmail, ownerEmailChange, queueOwnerEmail } from './feed-owner';
import { markProductChanged } from './mark-product-changed';
import { changedPrices, firstPrices, lockProduct } from './price-product';
import { toViewWithAudience } from './product-catalog';
import { asConflict, freeSlug } from './product-slugs';
import { findProductRecord, isSlugTaken, type ProductRow } from './queries';
import { FREE_PRICES } from './rules';
import { type CreateProduct, PRODUCT_COLUMNS, type UpdateProduct } from './schema';
import type { ProductWithAudience } from './views';

/**
 * Creates a podcast or audio series for the current creator.
 * @throws common.role_not_allowed, product.slug_taken, creator.publishing_stopped, the errors of prices (rules.ts), plan.*,
 * upload.* and media.* (the cover)
 */
export async function createProduct(ctx: Ctx, input: CreateProduct): Promise<ProductWithAudience> {
  const { creatorId } = authorize(ctx, 'product.manage', requireCreator(ctx));
  if (input.fundingUrl) authorize(ctx, 'product.handOver', { creatorId });
  const upload = await findUsableUpload(ctx, { key: input.coverKey, purpose: 'cover' });
  const slug = input.slug ?? (await freeSlug(ctx, creatorId, input.name));
  if (await isSlugTaken(ctx, creatorId, slug)) throw slugTaken();
  const { domain, userId } = await findCreator(ctx, creatorId);
  const { currency } = await findUser(ctx, userId);
  const change = { current: { ...FREE_PRICES, currency }, input };
  const prices = firstPrices(ctx, { creatorId, kind: input.kind }, change);
  const coverKey = await storeCover(ctx, upload);
  const owner = await ownerEmailChange(ctx, { ...NO_OWNER, creatorId }, input.ownerEmail ?? null);

  const id = await transact(ctx, async (tx) => {
    await requirePublishing(tx, creatorId);
    await requireRoomForProduct(tx, { creatorId, isPaid: prices.priceMinor !== null });
    await consumeUpload(tx, upload);
    await reserveSlug(tx, { creatorId, slug });
    const feedGuid = await newFeedGuid(tx, ctx.urls.feed(domain, slug));
    const described = { ...pick(input, PRODUCT_COLUMNS), ...prices, slug, coverKey };
    const [row] = await tx.db
      .insert(products)
      .values({ ...described, ...owner, creatorId, kind: input.kind, feedGuid, changedAt: tx.now() })
      .returning({ id: products.id });
    await claimSlug(tx.db, formerProductSlugs, { scopeId: creatorId, slug });
    if (needsOwnerEmail(owner, NO_OWNER))
      await queueOwnerEmail(tx, { id: row!.id, name: input.name }, owner.ownerEmail);
    await recordAbout(tx, 'product.created', { id: row!.id, creatorId, name: input.name });
    return row!.id;
  }).catch(asConflict);
  return toViewWithAudience(ctx, await findProductRecord(ctx, id));
}

/** Changes the fields that were sent. If the slug changes, the former slug redirects. @throws as createProduct */
export async function updateProduct(ctx: Ctx, input: UpdateProduct): Promise<ProductWithAudience> {
  const found = await findProductRecord(ctx, input.id, input.kind);
  const product = authorize(ctx, 'product.manage', found.product);
  const cover = input.coverKey ? await findUsableUpload(ctx, { key: input.coverKey, purpose: 'cover' }) : null;
  if (input.slug && (await isSlugTaken(ctx, product.creatorId, input.slug, product.id))) throw slugTaken();
  const coverKey = cover ? await storeCover(ctx, cover) : undefined;
  const owner = input.ownerEmail === undefined ? null : await ownerEmailChange(ctx, product, input.ownerEmail);

  await transact(ctx, async (tx) => {
    if (cover) await consumeUpload(tx, cover);
    const row = await lockProduct(tx, product.id);
    if (!row) throw productNotFound();
    const current = authorize(tx, 'product.manage', row);
    if (input.fundingUrl !== undefined && input.fundingUrl !== row.fundingUrl) authorize(tx, 'product.handOver', row);
    const prices = await changedPrices(tx, current, input);
    await writeProduct(tx, current, { ...pick(input, PRODUCT_COLUMNS), ...prices, ...owner, coverKey });
    if (owner && needsOwnerEmail(owner, product)) await queueOwnerEmail(tx, product, owner.ownerEmail);
  }).catch(asConflict);
  return toViewWithAudience(ctx, await findProductRecord(ctx, product.id));
}

async function writeProduct(
  tx: TxCtx,
  product: Allowed<'product.manage', ProductRow>,
  changes: Partial<typeof products.$inferInsert>,
): Promise<void> {
  const { creatorId } = product;
  if (changes.slug && changes.slug !== product.slug)
    await reserveSlug(tx, { creatorId, slug: changes.slug, exceptId: product.id });
  await tx.db
    .update(products)
    .set({ ...changes, updatedAt: tx.now() })
    .where(eq(products.id, product.id));
  if (changes.slug && changes.slug !== product.slug) {
    const scopeId = creatorId;
    await claimSlug(tx.db, formerProductSlugs, { scopeId, slug: changes.slug });
    await keepFormerSlug(tx.db, formerProductSlugs, { scopeId, slug: product.slug, ownerId: product.id });
  }
  await recordAbout(tx, 'product.updated', { ...product, name: changes.name ?? product.name });
  await markProductChanged(tx, product.id);
  await markCreatorChanged(tx, creatorId);
}

type WantedSlug = { creatorId: number; slug: string; exceptId?: number };

/**
 * Locks the creator and checks again: the unique index would wait for a change of the show that has the slug, which may
 * wait for the creator. @throws product.slug_taken
 */
async function reserveSlug(tx: TxCtx, { creatorId, slug, exceptId }: WantedSlug): Promise<void> {
  await markCreatorChanged(tx, creatorId);
  if (await isSlugTaken(tx, creatorId, slug, exceptId)) throw slugTaken();
}
