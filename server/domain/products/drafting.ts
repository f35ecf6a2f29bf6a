import { and, eq } from 'drizzle-orm';
import { formerProductSlugs, products } from '~/db/schema/products';
import { type Ctx, type TxCtx, transact, violates } from '../../ctx';
import { slugFrom } from '../../fields';
import { PRODUCT_LIMITS } from '../../limits/products';
import { requireCreator } from '../../policy/actor';
import { type Allowed, authorize } from '../../policy/authorize';
import { findUser } from '../accounts/queries';
import { findCreator } from '../creators/queries';
import { markCreatorChanged } from '../creators/versions';
import { storeCover } from '../media/covers';
import { consumeUpload, findUsableUpload } from '../media/uploading';
import { slugTaken } from './errors';
import { newFeedGuid } from './feed-identity';
import { findProductRecord, isSlugTaken, listSlugsLike, type ProductRow } from './queries';
import type { CreateProduct, UpdateProduct } from './schema';
import { markProductChanged } from './versions';
import { type ProductView, toProductView } from './views';

/**
 * Creates a free podcast or audio series of the creator who acts.
 * @throws product.slug_taken, upload.* and media.* (the cover)
 */
export async function createProduct(ctx: Ctx, input: CreateProduct): Promise<ProductView> {
  const { userId, creatorId } = requireCreator(ctx);
  const upload = await findUsableUpload(ctx, { key: input.coverKey, purpose: 'cover', field: 'coverKey' });
  const slug = input.slug ?? (await freeSlug(ctx, creatorId, input.name));
  if (await isSlugTaken(ctx, creatorId, slug)) throw slugTaken();
  const [user, { domain }] = await Promise.all([findUser(ctx, userId), findCreator(ctx, creatorId)]);
  const coverKey = await storeCover(ctx, upload);

  const id = await transact(ctx, async (tx) => {
    await consumeUpload(tx, upload);
    const { kind, name, description, category, language, explicit, hideSubscribeButton } = input;
    const { welcomeMessage, subscriberEmailMessage } = input;
    const [row] = await tx.db
      .insert(products)
      .values({
        creatorId,
        kind,
        name,
        slug,
        description,
        category,
        language,
        coverKey,
        currency: input.currency ?? user.currency,
        welcomeMessage,
        subscriberEmailMessage,
        hideSubscribeButton,
        explicit,
        feedGuid: await newFeedGuid(tx, ctx.urls.feed(domain, slug)),
        changedAt: tx.now(),
      })
      .returning({ id: products.id });
    await forgetFormerSlug(tx, creatorId, slug);
    await markCreatorChanged(tx, creatorId);
    return row!.id;
  }).catch(asSlugTaken);
  return toProductView(await findProductRecord(ctx, id));
}

/** Changes the fields that were sent; a new slug leaves a redirect behind. @throws as createProduct */
export async function updateProduct(ctx: Ctx, input: UpdateProduct): Promise<ProductView> {
  const found = await findProductRecord(ctx, input.id, input.kind);
  const product = authorize(ctx, 'product.manage', found.product);
  const cover = input.coverKey
    ? await findUsableUpload(ctx, { key: input.coverKey, purpose: 'cover', field: 'coverKey' })
    : null;
  if (input.slug && (await isSlugTaken(ctx, product.creatorId, input.slug, product.id))) throw slugTaken();
  const coverKey = cover ? await storeCover(ctx, cover) : undefined;

  await transact(ctx, async (tx) => {
    if (cover) await consumeUpload(tx, cover);
    await write(tx, product, { ...input, coverKey });
  }).catch(asSlugTaken);
  return toProductView(await findProductRecord(ctx, product.id));
}

async function write(
  tx: TxCtx,
  product: Allowed<'product.manage', ProductRow>,
  change: Omit<UpdateProduct, 'id' | 'kind'> & { coverKey?: string },
): Promise<void> {
  const { name, slug, description, category, language, coverKey, explicit, currency } = change;
  const { welcomeMessage, subscriberEmailMessage, hideSubscribeButton } = change;
  await tx.db
    .update(products)
    .set({
      updatedAt: tx.now(),
      name,
      slug,
      description,
      category,
      language,
      coverKey,
      explicit,
      currency,
      welcomeMessage,
      subscriberEmailMessage,
      hideSubscribeButton,
    })
    .where(eq(products.id, product.id));
  if (slug && slug !== product.slug) {
    await forgetFormerSlug(tx, product.creatorId, slug);
    const former = { creatorId: product.creatorId, slug: product.slug, productId: product.id };
    await tx.db
      .insert(formerProductSlugs)
      .values(former)
      .onConflictDoUpdate({
        target: [formerProductSlugs.creatorId, formerProductSlugs.slug],
        set: { productId: product.id },
      });
  }
  await markProductChanged(tx, product.id);
  await markCreatorChanged(tx, product.creatorId);
}

/** A slug in use again stops redirecting to what had it before. */
async function forgetFormerSlug(tx: TxCtx, creatorId: number, slug: string): Promise<void> {
  await tx.db
    .delete(formerProductSlugs)
    .where(and(eq(formerProductSlugs.creatorId, creatorId), eq(formerProductSlugs.slug, slug)));
}

/** The name's own slug, or the first of its numbered ones that is free. */
async function freeSlug(ctx: Ctx, creatorId: number, name: string): Promise<string> {
  const wanted = slugFrom(name, PRODUCT_LIMITS.slugLength - 4) || 'audio';
  const taken = await listSlugsLike(ctx, creatorId, wanted);
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? wanted : `${wanted}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}

/** Two tabs may take the same slug at once: the index decides, the second one is told. */
function asSlugTaken(error: unknown): never {
  throw violates(error, 'products_slug_once') ? slugTaken() : error;
}
