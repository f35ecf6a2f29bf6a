import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { feedLinks } from '~/db/schema/feeds';
import { products } from '~/db/schema/products';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { PRIVATE_FEED_LIMITS } from '../../limits/feeds';
import { stepsOfDrip } from '../../policy/drip';
import { whereLiveGrant, whereOpeningGrant, whereProductOffered } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { CREATORS_LINK } from './kinds';

type Reads = Pick<Ctx, 'db' | 'now'>;

/**
 * A show that the link's listener can hear now. `change`: when its creator was changed, in milliseconds. `steps`: the
 * steps of its drip; null without a drip.
 */
type HeardNow = { id: number; version: number; change: number; isOpened: boolean; steps: number | null };
export type LinkState = Awaited<ReturnType<typeof listLinkStates>>[number];
/** Why a link's listener has no access, and since when. */
export type AccessEnd = { reason: 'ended' | 'unpaid' | 'shared'; at: Date };

export const hashFeedToken = (token: string): Buffer => createHash('sha256').update(token).digest();

type StateInputs = { hashes: string; now: string };

/** A creator reads the feed that they have made, so it says nothing of the listener's account. */
const isCreators = sql`${feedLinks.app} = ${sql.raw(`'${CREATORS_LINK}'`)}`;
const languageOfShow = sql`(select case when ${products.language} = 'es' then 'es' else 'en' end from ${products}
  where ${eq(products.id, feedLinks.productId)})`;

/** Selects many links and their listeners' shows in one query. */
const selectStates = preparedSelect((db, { hashes, now }: Inputs<StateInputs>) =>
  db
    .select({
      hash: sql<string>`encode(${feedLinks.tokenHash}, 'hex')`,
      id: feedLinks.id,
      userId: feedLinks.userId,
      productId: feedLinks.productId,
      isShared: sql<boolean>`${feedLinks.replacedBecause} is not null`,
      language: sql<Language>`case when ${isCreators} then ${languageOfShow}
        else coalesce(${users.language}, ${sql.raw(`'${DEFAULT_LANGUAGE}'`)}) end`,
      name: sql<string>`case when ${isCreators} then '' else ${users.name} end`,
      shows: heardNow(now),
    })
    .from(feedLinks)
    .innerJoin(users, eq(users.id, feedLinks.userId))
    .where(
      and(
        sql`${feedLinks.tokenHash} = any(array(select decode(t, 'hex') from unnest(string_to_array(${hashes}, ',')) t))`,
        or(isNull(feedLinks.replacedAt), eq(feedLinks.replacedBecause, 'shared')),
        or(isNull(feedLinks.productId), whereLinkedShowOffered()),
      ),
    ),
);

/** Any live grant keeps a feed alive; access to each episode is checked separately (docs/decisions/0152). */
function heardNow(now: string | Placeholder): SQL<HeardNow[]> {
  const own = and(
    eq(grants.userId, feedLinks.userId),
    or(isNull(feedLinks.productId), eq(grants.productId, feedLinks.productId)),
  );
  const joined = sql`min(${grants.dripsFrom}) filter (where ${whereOpeningGrant(now)})`;
  const heard = sql`
    select ${products.id} as id, ${products.version} as version,
      round(extract(epoch from ${creators.updatedAt}) * 1000) as change, bool_or(${whereOpeningGrant(now)}) as "isOpened",
      ${stepsOfDrip(joined, now)} as steps
    from ${grants} inner join ${products} on ${eq(products.id, grants.productId)}
      inner join ${creators} on ${eq(creators.id, products.creatorId)}
    where ${own} and ${whereLiveGrant(now)} and ${whereProductOffered()}
    group by ${products.id}, ${creators.id} order by ${products.id} limit ${sql.raw(String(PRIVATE_FEED_LIMITS.listed))}`;
  return sql<HeardNow[]>`(select coalesce(json_agg(h), '[]') from (${heard}) h)`;
}

const whereLinkedShowOffered = () =>
  sql`exists (select from ${products} where ${eq(products.id, feedLinks.productId)} and ${whereProductOffered()})`;

/** The known links among the hexadecimal hashes. Replaced links are unknown, unless they were shared. */
export function listLinkStates({ db, now }: Reads, hashes: string[]) {
  return selectStates(db, { hashes: [...new Set(hashes)].join(), now: now().toISOString() });
}

/** Why these links give no access, by their ids: the last end of a grant, or the replacement of the link. */
export async function listAccessEnds({ db, now }: Reads, states: LinkState[]): Promise<Map<number, AccessEnd>> {
  const ids = states.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const own = sql`${grants.userId} = ${feedLinks.userId} and (${isNull(feedLinks.productId)} or ${grants.productId} = ${feedLinks.productId})`;
  const ended = sql`(select max(${grants.endsAt}) from ${grants} where ${own} and ${grants.endsAt} <= ${now().toISOString()}::timestamptz)`;
  const rows = await db
    .select({
      id: feedLinks.id,
      isShared: sql<boolean>`${feedLinks.replacedBecause} is not null`,
      isUnpaid: isUnpaid(),
      at: sql<string>`coalesce(${feedLinks.replacedAt}, ${ended}, ${feedLinks.createdAt})`,
    })
    .from(feedLinks)
    .innerJoin(users, eq(users.id, feedLinks.userId))
    .where(inArray(feedLinks.id, ids));
  return new Map(
    rows.map(({ id, isShared, isUnpaid, at }) => {
      const reason = isShared ? 'shared' : isUnpaid ? 'unpaid' : 'ended';
      return [id, { reason, at: new Date(at) }];
    }),
  );
}

/**
 * Whether the listener's last subscription to the show is unpaid: its renewal failed, or it has ended because of that.
 */
function isUnpaid(): SQL<boolean> {
  return sql<boolean>`coalesce((
    select coalesce(${subscriptions.endReason} = 'unpaid', false)
      or (${subscriptions.pastDueSince} is not null and ${subscriptions.endedAt} is null)
    from ${subscriptions}
    where ${subscriptions.userId} = ${feedLinks.userId} and ${subscriptions.productId} = ${feedLinks.productId}
    order by ${subscriptions.startedAt} desc, ${subscriptions.id} desc limit 1), false)`;
}
