import { asc, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { users } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { payouts } from '~/db/schema/payouts';
import { products } from '~/db/schema/products';
import { OPERATOR_LIMITS } from '../../limits/operators';
import type { Ctx } from '../../runtime/ctx';

type Db = Pick<Ctx, 'db'>;
const limit = OPERATOR_LIMITS.found;

/** Accounts whose address or name begins with the words, or with this ID. Without words, the newest accounts. */
export async function findUsers({ db }: Db, words: string) {
  const { id, email, name, createdAt, emailVerifiedAt, suspendedAt, deletedAt } = users;
  return db
    .select({ id, email, name, createdAt, emailVerifiedAt, suspendedAt, deletedAt })
    .from(users)
    .where(beginsWith(words, users.id, { plain: users.email, named: users.name }))
    .orderBy(words ? asc(users.email) : desc(users.id))
    .limit(limit);
}

/** Creators whose domain or name begins with the words, or with this ID. Without words, the newest creators. */
export async function findCreators({ db }: Db, words: string) {
  const { id, name, domain, claimedAt, publishingStoppedAt, closedAt } = creators;
  return db
    .select({ id, name, domain, claimedAt, publishingStoppedAt, closedAt })
    .from(creators)
    .where(beginsWith(words, creators.id, { plain: creators.domain, named: creators.name }))
    .orderBy(words ? asc(creators.domain) : desc(creators.id))
    .limit(limit);
}

/** Finds any object by an address, a name, a domain, or an ID here or at the payment provider. */
export async function findAnything(ctx: Db, words: string) {
  if (words === '') return { users: [], creators: [], shows: [], episodes: [], payments: [], payouts: [] };
  return {
    users: await findUsers(ctx, words),
    creators: await findCreators(ctx, words),
    shows: await findShows(ctx, words),
    episodes: await findEpisodes(ctx, words),
    payments: await findPayments(ctx, words),
    payouts: await findPayouts(ctx, words),
  };
}

function findShows({ db }: Db, words: string) {
  return db
    .select({
      id: products.id,
      name: products.name,
      kind: products.kind,
      creatorId: creators.id,
      creator: creators.domain,
    })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(or(beginsWith(words, products.id, { named: products.name }), isUuid(products.feedGuid, words)))
    .orderBy(asc(products.id))
    .limit(limit);
}

/** Finds episodes by ID only, because there are too many for other searches. */
async function findEpisodes({ db }: Db, words: string) {
  const id = idIn(words);
  if (id === null) return [];
  return db
    .select({
      id: episodes.id,
      name: episodes.name,
      show: products.name,
      creatorId: creators.id,
      creator: creators.domain,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .where(eq(episodes.id, id))
    .limit(limit);
}

async function findPayments({ db }: Db, words: string) {
  if (!/^(?:pi|ch|in|py)_\w{1,100}$/.test(words)) return [];
  return db
    .select({
      paymentId: sales.paymentId,
      name: sales.name,
      paidAt: sales.paidAt,
      userId: sales.userId,
      creator: creators.domain,
    })
    .from(sales)
    .leftJoin(creators, eq(creators.id, sales.creatorId))
    .where(eq(sales.paymentId, words))
    .limit(limit);
}

async function findPayouts({ db }: Db, words: string) {
  if (!UUID.test(words)) return [];
  return db
    .select({ id: payouts.publicId, status: payouts.status, creator: creators.domain })
    .from(payouts)
    .innerJoin(creators, eq(creators.id, payouts.creatorId))
    .where(inArray(payouts.publicId, [words]))
    .limit(limit);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isUuid = (column: PgColumn, words: string) => (UUID.test(words) ? eq(column, words) : undefined);
const idIn = (words: string): number | null => (/^\d{1,15}$/.test(words) ? Number(words) : null);

type Columns = { plain?: PgColumn; named: PgColumn };

/** Compares in lower case; the table stores `plain` in lower case. */
function beginsWith(words: string, id: PgColumn, { plain, named }: Columns): SQL | undefined {
  if (words === '') return undefined;
  const prefix = `${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const number = idIn(words);
  return or(
    plain && sql`${plain} like ${prefix}`,
    sql`lower(${named}) like ${prefix}`,
    number === null ? undefined : eq(id, number),
  );
}

export type FoundObjects = Awaited<ReturnType<typeof findAnything>>;
