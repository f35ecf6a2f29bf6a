import { and, asc, desc, eq, exists, or, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { domains } from '~/db/schema/creators';
import { feedRedirects } from '~/db/schema/moving';
import { formerProductSlugs, products } from '~/db/schema/products';
import { PAGE_LIMITS } from '../../../limits/paging';
import { requireCreator } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import { countLive } from '../../../policy/holder-counts';
import { whereProductVisible } from '../../../policy/visibility';
import type { Ctx } from '../../../runtime/ctx';
import type { KindName } from '../../products/kinds';
import { findProductRecord } from '../../products/queries';
import type { FindProduct } from '../../products/schema';
import { canUndo, undoableUntil } from './rules';

export type RedirectRow = typeof feedRedirects.$inferSelect;

type Address = { domain: string; slug: string };

const selectRedirect = preparedSelect((db, { domain, slug }: Inputs<Address>) =>
  db
    .select({ redirect: feedRedirects })
    .from(domains)
    .innerJoin(products, eq(products.creatorId, domains.creatorId))
    .innerJoin(feedRedirects, eq(feedRedirects.productId, products.id))
    .where(
      and(
        eq(domains.domain, domain),
        or(
          eq(products.slug, slug),
          exists(
            db
              .select({ one: sql`1` })
              .from(formerProductSlugs)
              .where(
                and(
                  eq(formerProductSlugs.scopeId, products.creatorId),
                  eq(formerProductSlugs.ownerId, products.id),
                  eq(formerProductSlugs.slug, slug),
                ),
              ),
          ),
        ),
      ),
    )
    .orderBy(desc(eq(products.slug, slug)), desc(products.id))
    .limit(1),
);

/** The new address of the feed at this current or former address, even if its show or its account was deleted. */
export async function lookupRedirect(ctx: Pick<Ctx, 'db'>, address: Address): Promise<RedirectRow | null> {
  const [found] = await selectRedirect(ctx.db, address);
  return found?.redirect ?? null;
}

export async function lookupRedirectOf(ctx: Pick<Ctx, 'db'>, productId: number): Promise<RedirectRow | null> {
  const [row] = await ctx.db.select().from(feedRedirects).where(eq(feedRedirects.productId, productId));
  return row ?? null;
}

/** `undoUntil`: null once the redirect is final. */
export type RedirectView = { url: string; createdAt: Date; undoUntil: Date | null };

/** The target of a show's public feed; null if it does not redirect. @throws product.not_found */
export async function feedRedirect(ctx: Ctx, { id, kind }: FindProduct): Promise<RedirectView | null> {
  const { product } = await findProductRecord(ctx, id, kind);
  authorize(ctx, 'product.read', product);
  const row = await lookupRedirectOf(ctx, id);
  return row && toRedirectView(row, ctx.now());
}

export const toRedirectView = ({ url, createdAt }: RedirectRow, now: Date): RedirectView => ({
  url,
  createdAt,
  undoUntil: canUndo(createdAt, now) ? undoableUntil(createdAt) : null,
});

/** A show of a creator who leaves. `paying`: number of people with access that somebody paid for. */
export type LeavingShow = {
  id: number;
  kind: KindName;
  name: string;
  redirect: RedirectView | null;
  paying: number;
};

/** The shows of the creator that the user works for, by name, with the targets of their feeds. */
export async function leavingShows(ctx: Ctx): Promise<LeavingShow[]> {
  const { creatorId } = authorize(ctx, 'product.handOver', requireCreator(ctx));
  const { id, kind, name } = products;
  const paying = countLive({ creatorId, productId: id, isPaid: true }, ctx.now());
  const rows = await ctx.db
    .select({ id, kind, name, redirect: feedRedirects, paying })
    .from(products)
    .leftJoin(feedRedirects, eq(feedRedirects.productId, products.id))
    .where(and(eq(products.creatorId, creatorId), whereProductVisible()))
    .orderBy(asc(products.name), asc(products.id))
    .limit(PAGE_LIMITS.maxSize);
  return rows.map(({ redirect, ...show }) => ({ ...show, redirect: redirect && toRedirectView(redirect, ctx.now()) }));
}
