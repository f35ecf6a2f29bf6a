import { and, desc, eq } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { domains } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { later } from '../../base/time';
import { PRODUCT_LIMITS } from '../../limits/products';
import { may } from '../../policy/authorize';
import { isListed, isProductPublic, whereProductPublic } from '../../policy/visibility';
import type { Ctx, Reader } from '../../runtime/ctx';
import { creatorGone, creatorNotFound } from '../creators/errors';
import { type CreatorRow, lookupCreatorByDomain } from '../creators/queries';
import { episodeNotFound } from '../episodes/errors';
import { lookupEpisodeBySlug } from '../episodes/page-episodes';
import { type EpisodeRecord, factsOf } from '../episodes/queries';
import { productGone, productNotFound } from '../products/errors';
import {
  lookupProductAtAddress,
  lookupProductBySlug,
  lookupRetirement,
  type ProductRecord,
  type ProductRow,
} from '../products/queries';
import { takenDown } from './errors';

/**
 * Only this file resolves public addresses, from domain to creator, product slug and episode slug, by current and
 * former names. `movedTo` is the current address if any part of the requested one is a former name.
 */
export type PageAddress = { domain: string; slug?: string; episodeSlug?: string; soundbiteId?: number };
export type Moved = { moved: PageAddress };

type ProductAddress = { domain: string; slug: string };
type EpisodeAddress = ProductAddress & { episodeSlug: string };
type FoundCreator = { creator: CreatorRow; movedTo: PageAddress | null };
type FoundProduct = FoundCreator & { product: ProductRecord };
type FoundEpisode = FoundProduct & { episode: EpisodeRecord };

/** @throws creator.not_found; creator.deleted, which tells podcast apps and search engines to give up */
export async function findCreatorPage(ctx: Pick<Ctx, 'db'>, { domain }: { domain: string }): Promise<FoundCreator> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator) throw creatorNotFound();
  if (creator.closedAt) throw creatorGone();
  return { creator, movedTo: creator.domain === domain ? null : { domain: creator.domain } };
}

/**
 * @throws creator.not_found, creator.deleted, product.not_found (also if the product was retired a short while ago),
 * product.deleted
 */
export async function findProductPage(ctx: Pick<Ctx, 'db' | 'now'>, address: ProductAddress): Promise<FoundProduct> {
  const { creator, product } = await findProductOfCreator(ctx, address);
  const current = { domain: creator.domain, slug: product.product.slug };
  const moved = current.domain !== address.domain || current.slug !== address.slug;
  return { creator, product, movedTo: moved ? current : null };
}

/** Nearly every address is current, and found with one query. */
async function findProductOfCreator(ctx: Pick<Ctx, 'db' | 'now'>, address: ProductAddress) {
  const found = await lookupProductAtAddress(ctx, address);
  if (found) return { creator: found.creator, product: found };
  const creator = await lookupCreatorByDomain(ctx, address.domain);
  if (!creator) throw creatorNotFound();
  const product = await lookupProductBySlug(ctx, creator.id, address.slug);
  if (!product) throw creator.closedAt ? creatorGone() : await missingProduct(ctx, creator.id, address.slug);
  return { creator, product };
}

/** Only after some time, because podcast apps give up for good, and a new show can have the address again. */
async function missingProduct(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number, slug: string) {
  const retiredAt = await lookupRetirement(ctx, creatorId, slug);
  const isGone = retiredAt !== null && later(retiredAt, PRODUCT_LIMITS.missedFor) <= ctx.now();
  return isGone ? productGone() : productNotFound();
}

/** Doesn't check whether the caller may see the episode. @throws creator, product and episode.not_found */
export async function findEpisodePage(ctx: Reader, address: EpisodeAddress): Promise<FoundEpisode> {
  const { creator, product, movedTo } = await findProductPage(ctx, address);
  const episode = await lookupEpisodeBySlug(ctx, product.product.id, address.episodeSlug);
  if (!episode) throw episodeNotFound();
  const episodeSlug = episode.episode.slug;
  const moved = movedTo !== null || episodeSlug !== address.episodeSlug;
  const current = { domain: creator.domain, slug: product.product.slug, episodeSlug };
  return { creator, product, episode, movedTo: moved ? current : null };
}

/**
 * Tells visitors that a formerly public show or episode was taken down. Only its team still sees it.
 * @throws page.taken_down
 */
export function assertNotTakenDown(ctx: Pick<Ctx, 'actor'>, product: ProductRow, record?: EpisodeRecord): void {
  if (may(ctx, 'product.read', product)) return;
  const isPublicShow = isProductPublic({ ...product, takenDownAt: null });
  if (!record) {
    if (isPublicShow && product.takenDownAt) throw takenDown();
    return;
  }
  const { episode } = record;
  const asBefore = { ...factsOf(record), takenDownAt: null, product: { ...product, takenDownAt: null } };
  if ((product.takenDownAt || episode.takenDownAt) && isListed(asBefore)) throw takenDown();
}

const selectLanguage = preparedSelect((db, { domain, slug }: Inputs<Required<Pick<PageAddress, 'domain' | 'slug'>>>) =>
  db
    .select({ language: products.language })
    .from(domains)
    .innerJoin(products, eq(products.creatorId, domains.creatorId))
    .where(and(eq(domains.domain, domain), whereProductPublic()))
    .orderBy(desc(eq(products.slug, slug)), desc(products.createdAt), desc(products.id))
    .limit(1),
);

/**
 * The language tag of the show at this address, or of the creator's newest show. Null without a show. Former slugs are
 * not looked up, because their pages redirect.
 */
export async function lookupPageLanguage(
  ctx: Pick<Ctx, 'db'>,
  { domain, slug }: { domain: string; slug?: string },
): Promise<string | null> {
  const [found] = await selectLanguage(ctx.db, { domain, slug: slug ?? '' });
  return found?.language ?? null;
}
