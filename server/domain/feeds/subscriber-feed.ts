import { and, eq, isNull } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { feedLinks } from '~/db/schema/feeds';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { feedLinksPath, languagePrefix } from '../../base/public-paths';
import { authorize } from '../../policy/authorize';
import { whereLiveGrant, wherePaidGrant } from '../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { buyerNotFound } from '../billing/base/errors';
import type { FindBuyer } from '../billing/base/schema';
import { type AccessEmail, lockSender, tellOfAccess } from '../billing/buyers/access-emails';
import { lookupBuyer } from '../billing/buyers/buyer-list';
import { findProductRecord, type ProductRow } from '../products/queries';
import { recordActivity } from '../team/activity';
import { noAccessForFeed, subscriberFeedChanged, subscriberFeedExists, subscriberFeedNotFound } from './errors';
import { CREATORS_LINK } from './kinds';
import { newLink } from './private-links';

/**
 * The private feed of one show that its creator makes for a subscriber, to show it in an app or a shop of theirs. It is
 * beside the subscriber's own addresses, which no creator reads or ends (docs/decisions/0403).
 */
export type SubscriberFeed = { createdAt: Date };
/** `url`: only now, because it works like a password. */
export type NewSubscriberFeed = SubscriberFeed & { url: string };

type Subscriber = { show: ProductRow; userId: number };

/** @throws product.not_found, buyer.not_found, feed.not_made */
export async function findSubscriberFeed(ctx: Ctx, input: FindBuyer): Promise<SubscriberFeed> {
  const { createdAt } = await findCurrent(ctx, await findSubscriber(ctx, input, 'product.readBuyers'));
  return { createdAt };
}

/** @throws product.not_found, buyer.not_found, feed.no_access, feed.made_already */
export async function createSubscriberFeed(ctx: Ctx, input: FindBuyer): Promise<NewSubscriberFeed> {
  const subscriber = await findSubscriber(ctx, input);
  await requireAccess(ctx, subscriber);
  return transact(ctx, async (tx) => {
    const made = await insertFeed(tx, subscriber);
    if (!made) throw subscriberFeedExists();
    await record(tx, subscriber, 'buyer.feed_created');
    return made;
  });
}

/**
 * The former address and all addresses of audio in it stop working. Of two concurrent calls, one replaces it.
 * @throws as createSubscriberFeed; feed.not_made, feed.replaced_meanwhile
 */
export async function replaceSubscriberFeed(ctx: Ctx, input: FindBuyer): Promise<NewSubscriberFeed> {
  const subscriber = await findSubscriber(ctx, input);
  await requireAccess(ctx, subscriber);
  const current = await findCurrent(ctx, subscriber);
  await ctx.reach('subscriber-feed.read');
  return transact(ctx, async (tx) => {
    await lockSender(tx);
    if (!(await endFeed(tx, current.id))) throw subscriberFeedChanged();
    const made = await insertFeed(tx, subscriber);
    if (!made) throw subscriberFeedChanged();
    await record(tx, subscriber, 'buyer.feed_replaced');
    await tellOfEnd(tx, subscriber);
    return made;
  });
}

/** Also after the person's access has ended. @throws product.not_found, buyer.not_found, feed.not_made */
export async function revokeSubscriberFeed(ctx: Ctx, input: FindBuyer): Promise<void> {
  const subscriber = await findSubscriber(ctx, input);
  const current = await findCurrent(ctx, subscriber);
  await ctx.reach('subscriber-feed.read');
  await transact(ctx, async (tx) => {
    await lockSender(tx);
    if (!(await endFeed(tx, current.id))) throw subscriberFeedChanged();
    await record(tx, subscriber, 'buyer.feed_revoked');
    if (await hasAccess(tx, subscriber)) await tellOfEnd(tx, subscriber);
  });
}

/** @throws product.not_found, buyer.not_found */
async function findSubscriber(
  ctx: Ctx,
  { id, kind, userId }: FindBuyer,
  ability: 'product.manageBuyers' | 'product.readBuyers' = 'product.manageBuyers',
): Promise<Subscriber> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, ability, product);
  if (!(await lookupBuyer(ctx, show, userId))) throw buyerNotFound();
  return { show, userId };
}

/** @throws feed.no_access */
async function requireAccess(ctx: Ctx, subscriber: Subscriber): Promise<void> {
  if (!(await hasAccess(ctx, subscriber))) throw noAccessForFeed();
}

async function hasAccess({ db, now }: Pick<Ctx, 'db' | 'now'>, { show, userId }: Subscriber): Promise<boolean> {
  const own = and(eq(grants.userId, userId), eq(grants.productId, show.id), wherePaidGrant());
  return (await db.$count(grants, and(own, whereLiveGrant(now().toISOString())))) > 0;
}

const isCurrent = ({ show, userId }: Subscriber) =>
  and(
    eq(feedLinks.userId, userId),
    eq(feedLinks.productId, show.id),
    eq(feedLinks.app, CREATORS_LINK),
    isNull(feedLinks.replacedAt),
  );

/** @throws feed.not_made */
async function findCurrent({ db }: Pick<Ctx, 'db'>, subscriber: Subscriber) {
  const [row] = await db
    .select({ id: feedLinks.id, createdAt: feedLinks.createdAt })
    .from(feedLinks)
    .where(isCurrent(subscriber));
  if (!row) throw subscriberFeedNotFound();
  return row;
}

/** Null if there is one. */
async function insertFeed(tx: TxCtx, { show, userId }: Subscriber): Promise<NewSubscriberFeed | null> {
  const { row, url } = newLink(tx, { userId, productId: show.id }, CREATORS_LINK);
  const made = await tx.db.insert(feedLinks).values(row).onConflictDoNothing().returning({ id: feedLinks.id });
  return made.length > 0 ? { url, createdAt: row.createdAt } : null;
}

/** No row stays: a program replaces addresses often, and the listener's page reads them. @returns whether there was one */
async function endFeed(tx: TxCtx, id: number): Promise<boolean> {
  const ended = await tx.db.delete(feedLinks).where(eq(feedLinks.id, id)).returning({ id: feedLinks.id });
  return ended.length > 0;
}

/** Tells a person with a verified address that the feed's has ended, with the way to their own ones. */
async function tellOfEnd(tx: TxCtx, { show, userId }: Subscriber): Promise<void> {
  const { email, language, emailVerifiedAt } = await findUser(tx, userId);
  if (emailVerifiedAt === null) return;
  const ended: AccessEmail = {
    topic: 'feed_ended',
    path: (shown) => `${languagePrefix(shown)}${feedLinksPath(show.id)}`,
  };
  const people = [{ email, language: language ?? DEFAULT_LANGUAGE }];
  await tellOfAccess(tx, show, { ...ended, people });
}

type FeedAction = 'buyer.feed_created' | 'buyer.feed_replaced' | 'buyer.feed_revoked';

async function record(tx: TxCtx, { show, userId }: Subscriber, action: FeedAction): Promise<void> {
  const { creatorId, name } = show;
  await recordActivity(tx, { creatorId, action, subjectId: userId, params: { name } });
}
