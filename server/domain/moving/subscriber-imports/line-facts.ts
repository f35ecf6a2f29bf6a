import { and, eq, exists, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { paymentCustomers } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { copiedCustomers, subscriberImportLines } from '~/db/schema/moving';
import { products } from '~/db/schema/products';
import type { Subscription } from '../../../adapters/payments/objects';
import { AppError } from '../../../base/errors';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import type { Ctx } from '../../../runtime/ctx';
import { onAccount } from '../../payouts/seller-status';
import type { LineFacts } from './line-rules';
import type { ImportRow } from './steps';

export type LineRow = typeof subscriberImportLines.$inferSelect;
type ImportFacts = Pick<ImportRow, 'id' | 'creatorId' | 'productId' | 'account'>;
type Provided = Pick<LineFacts, 'customer' | 'subscriptions'> & { customerId: string | null };

/** Our facts and the provider's facts about some lines, in their order. @throws payments.* */
export async function findFacts(ctx: Ctx, row: ImportFacts, lines: LineRow[]): Promise<LineFacts[]> {
  const [show, duplicates, subscribed] = await Promise.all([
    findShow(ctx, row),
    listDuplicates(ctx, lines),
    listSubscribed(ctx, row, lines),
  ]);
  const provided = await Promise.all(lines.map((line) => (line.fault ? NOTHING : askProvider(ctx, row.account, line))));
  const customers = await listOwned(ctx, row, provided);
  const known = await listKnown(ctx, lines, provided);
  return lines.map((line, at) => {
    const { customer, customerId, subscriptions: found } = provided[at]!;
    const payee = known.get(line.subscriptionId ?? '');
    return {
      currency: show.currency,
      isDuplicate: duplicates.has(line.line),
      isOwner: line.email === show.ownerEmail,
      knownSubscription: payee === undefined ? null : payee === row.creatorId ? 'own' : 'other',
      isSubscribed: line.email !== null && subscribed.has(line.email),
      customerOf: customers(customerId, line.email) ? 'creator' : 'other',
      customer,
      subscriptions: found.filter(({ id }) => !known.has(id)),
    } satisfies LineFacts;
  });
}

const NOTHING: Provided = { customer: null, customerId: null, subscriptions: [] };

async function findShow({ db }: Ctx, { productId }: ImportFacts) {
  const [show] = await db
    .select({ currency: products.currency, ownerEmail: users.email })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(products.id, productId));
  return show!;
}

/** Lines whose address or ids occur in an earlier readable line of the file. */
async function listDuplicates({ db }: Ctx, lines: LineRow[]): Promise<Set<number>> {
  const numbers = lines.map(({ line }) => line);
  const [first] = lines;
  if (!first) return new Set();
  const earlier = alias(subscriberImportLines, 'earlier');
  const { email, customerId, subscriptionId, importId, line } = subscriberImportLines;
  const before = and(eq(earlier.importId, importId), lt(earlier.line, line), isNull(earlier.fault));
  const hasEarlier = (same: ReturnType<typeof eq>) =>
    exists(db.select({ one: sql`1` }).from(earlier).where(and(before, same)));
  const rows = await db
    .select({ line })
    .from(subscriberImportLines)
    .where(
      and(
        eq(importId, first.importId),
        inArray(line, numbers),
        or(
          hasEarlier(eq(earlier.email, email)),
          hasEarlier(eq(earlier.customerId, customerId)),
          hasEarlier(eq(earlier.subscriptionId, subscriptionId)),
        ),
      ),
    );
  return new Set(rows.map((row) => row.line));
}

/** The addresses that already subscribe to the show. */
async function listSubscribed({ db }: Ctx, { productId }: ImportFacts, lines: LineRow[]): Promise<Set<string>> {
  const emails = lines.flatMap(({ email }) => email ?? []);
  if (emails.length === 0) return new Set();
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .innerJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(and(inArray(users.email, emails), eq(subscriptions.productId, productId), isNull(subscriptions.endedAt)));
  return new Set(rows.map(({ email }) => email));
}

/** The creator who is paid by each of these subscriptions, if it is stored here. */
async function listKnown({ db }: Ctx, lines: LineRow[], provided: Provided[]): Promise<Map<string, number>> {
  const ids = [
    ...lines.flatMap(({ subscriptionId }) => subscriptionId ?? []),
    ...provided.flatMap((each) => each.subscriptions.map(({ id }) => id)),
  ];
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: subscriptions.providerId, creatorId: subscriptions.creatorId })
    .from(subscriptions)
    .where(inArray(subscriptions.providerId, ids));
  return new Map(rows.map(({ id, creatorId }) => [id, creatorId]));
}

type IsOwned = (customerId: string | null, email: string | null) => boolean;

/**
 * In the creator's own account, all customers belong to the creator. In our account, only customers that were copied
 * for this creator do, unless they belong to another person by now.
 */
async function listOwned({ db }: Ctx, { account, creatorId }: ImportFacts, provided: Provided[]): Promise<IsOwned> {
  const ids = provided.flatMap(({ customerId }) => customerId ?? []);
  if (ids.length === 0) return () => false;
  const [copied, people] = await Promise.all([
    db
      .select({ id: copiedCustomers.providerId })
      .from(copiedCustomers)
      .where(and(inArray(copiedCustomers.providerId, ids), eq(copiedCustomers.creatorId, creatorId))),
    db
      .select({ id: paymentCustomers.providerId, email: users.email })
      .from(paymentCustomers)
      .leftJoin(users, eq(users.id, paymentCustomers.userId))
      .where(inArray(paymentCustomers.providerId, ids)),
  ]);
  const isCopied = new Set(copied.map(({ id }) => id));
  const person = new Map(people.map(({ id, email }) => [id, email]));
  return (id, email) =>
    id !== null && (account !== null || isCopied.has(id)) && (!person.has(id) || person.get(id) === email);
}

/** Cards are fetched only without a running subscription: an adopted subscription has a card, or has already failed. */
async function askProvider(ctx: Ctx, account: string | null, line: LineRow): Promise<Provided> {
  const { fetch, listCards, listSubscriptions } = onAccount(ctx, account).ports.payments;
  const named = line.customerId ?? (await customerOfNamed(fetch, line.subscriptionId));
  const customer = named === null ? null : await orNull(fetch.customer(named));
  if (named === null || !customer || customer.deleted) return NOTHING;
  const found = await listSubscriptions({ customer: named, limit: SUBSCRIBER_IMPORT_LIMITS.pageSize });
  const runs = found.some(({ endedAt }) => endedAt === null);
  const hasCard = runs || (await listCards(named)).length > 0;
  const { email, deleted } = customer;
  return { customerId: named, customer: { email, deleted, hasCard }, subscriptions: found };
}

async function customerOfNamed(
  fetch: { subscription(id: string): Promise<Subscription> },
  id: string | null,
): Promise<string | null> {
  return id === null ? null : ((await orNull(fetch.subscription(id)))?.customer ?? null);
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error) => {
    if (error instanceof AppError && error.code === 'payments.not_found') return null;
    throw error;
  });
}
