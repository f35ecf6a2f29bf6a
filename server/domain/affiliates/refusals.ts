import { and, eq, inArray, isNotNull, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { billingDetails, users } from '~/db/schema/accounts';
import { paymentCards } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import { members } from '~/db/schema/team';
import type { Refusal } from '~/db/values/affiliates';
import type { Ctx } from '../../runtime/ctx';
import { mailboxOf } from './rules';

type Db = Pick<Ctx, 'db'>;
/** The affiliate's creator page, and the account that one of its links has brought. */
type Pair = { creatorId: number; userId: number };
type People = { affiliate: number; brought: number; pages: { id: number; userId: number }[] };

/**
 * Why an account brings its affiliate nothing: both are one person or work together. Asked when the account comes, and
 * again with each of its payments, because teams, cards and addresses change. Null for another person.
 */
export async function refusalOf(ctx: Db, { creatorId, userId }: Pair): Promise<Refusal | null> {
  const pages = await ctx.db
    .select({ id: creators.id, userId: creators.userId })
    .from(creators)
    .where(or(eq(creators.id, creatorId), eq(creators.userId, userId)))
    .orderBy(creators.id);
  const affiliate = pages.find(({ id }) => id === creatorId)!.userId;
  if (affiliate === userId) return 'own_account';
  const people = { affiliate, brought: userId, pages };
  if (await workTogether(ctx, people)) return 'same_team';
  if (await haveOneMailbox(ctx, people)) return 'same_email';
  if (await haveOneCard(ctx, people)) return 'same_card';
  return (await arePaidTogether(ctx, people)) ? 'same_payout' : null;
}

async function workTogether({ db }: Db, { affiliate, brought, pages }: People): Promise<boolean> {
  const ofPages = inArray(
    members.creatorId,
    pages.map(({ id }) => id),
  );
  return (await db.$count(members, and(ofPages, inArray(members.userId, [affiliate, brought])))) > 0;
}

async function haveOneMailbox({ db }: Db, { affiliate, brought }: People): Promise<boolean> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(inArray(users.id, [affiliate, brought]))
    .orderBy(users.id);
  return new Set(rows.map(({ email }) => mailboxOf(email))).size < rows.length;
}

/** Saved cards have a fingerprint as soon as the payment provider's list of them was read. */
async function haveOneCard({ db }: Db, { affiliate, brought }: People): Promise<boolean> {
  const theirs = alias(paymentCards, 'theirs');
  const found = await db
    .select({ id: paymentCards.providerId })
    .from(paymentCards)
    .innerJoin(theirs, eq(theirs.fingerprint, paymentCards.fingerprint))
    .where(and(eq(paymentCards.userId, affiliate), eq(theirs.userId, brought), isNotNull(theirs.fingerprint)))
    .limit(1);
  return found.length > 0;
}

/** The address of payouts, the tax number, or the account at the payment provider. */
async function arePaidTogether({ db }: Db, { affiliate, brought, pages }: People): Promise<boolean> {
  const rows = await db
    .select({ iban: billingDetails.iban, paypal: billingDetails.paypalEmail, tax: billingDetails.taxNumber })
    .from(billingDetails)
    .where(inArray(billingDetails.userId, [affiliate, brought]))
    .orderBy(billingDetails.userId);
  const [one, other] = rows;
  const isSame = (a?: string | null, b?: string | null) => a != null && a.toLowerCase() === b?.toLowerCase();
  const mailbox = (email?: string | null) => (email ? mailboxOf(email) : null);
  if (isSame(one?.iban, other?.iban) || isSame(one?.tax, other?.tax)) return true;
  if (isSame(mailbox(one?.paypal), mailbox(other?.paypal))) return true;
  const accounts = await db
    .selectDistinct({ creatorId: sellerAccounts.creatorId, accountId: sellerAccounts.accountId })
    .from(sellerAccounts)
    .where(
      inArray(
        sellerAccounts.creatorId,
        pages.map(({ id }) => id),
      ),
    )
    .orderBy(sellerAccounts.accountId);
  return new Set(accounts.map(({ accountId }) => accountId)).size < accounts.length;
}
