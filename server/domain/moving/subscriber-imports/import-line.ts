import { and, eq, isNull } from 'drizzle-orm';
import { oldFeedAddresses, subscriberImportLines } from '~/db/schema/moving';
import { products } from '~/db/schema/products';
import type { Subscription } from '../../../adapters/payments/objects';
import type { Currency } from '../../../base/money';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { syncShowSubscriptions } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { type CheckoutRow, lookupCheckout } from '../../billing/base/queries';
import { syncCards } from '../../billing/provider-sync/cards';
import { bringSubscriber } from '../../billing/subscriptions/bring-subscription';
import { syncSubscription } from '../../billing/subscriptions/subscriptions';
import { onAccount } from '../../payouts/seller-status';
import { currentPlan } from '../../plans/queries';
import { feePercent } from '../../plans/rules';
import type { ProductRow } from '../../products/queries';
import { lineFailed } from './errors';
import type { LineRow } from './line-facts';
import { whyNotSold } from './request-import';
import type { ImportRow } from './steps';
import { queueWelcome } from './welcome-subscriber';

/**
 * Imports one line: the account and its checkout, then the subscription at the provider, then the access here. Each
 * part may be repeated after a kill: the checkout is written once, and its id is the idempotency key of all calls to
 * the provider.
 * @throws payments.*; subscriber_import.show_not_sold, product.taken_down
 */
export async function bringLine(ctx: Ctx, row: ImportRow, line: LineRow): Promise<void> {
  await ctx.reach('import.checked');
  const prepared = await prepareLine(ctx, row, line);
  if (!prepared) return;
  const { checkout, isRepeated } = prepared;
  const { id } =
    line.outcome === 'adopt'
      ? await adoptLine(ctx, { row, line, checkout })
      : await recreateLine(ctx, { row, line, checkout, isRepeated });
  await ctx.reach('import.brought');
  await syncSubscription(onAccount(ctx, row.account), id);
  await syncCards(onAccount(ctx, row.account), line.customerId!);
  await transact(ctx, (tx) => finishLine(tx, { row, line, checkout }));
}

/**
 * Null if the person has subscribed to the show since the check. @throws subscriber_import.show_not_sold,
 * product.taken_down
 */
async function prepareLine(ctx: Ctx, row: ImportRow, line: LineRow) {
  if (line.checkoutId) return { checkout: (await lookupCheckout(ctx, line.checkoutId))!, isRepeated: true };
  return transact(ctx, async (tx) => {
    const [current] = await tx.db.select().from(subscriberImportLines).where(whereLine(line)).for('update');
    if (current?.state !== 'checked' || current.checkoutId) return null;
    const show = await findShow(tx, row.productId);
    const problem = whyNotSold(show);
    if (problem) throw problem;
    const brought = await bringSubscriber(tx, toBrought(row, line, show));
    const changes = brought
      ? { checkoutId: brought.checkout.id, userId: brought.user.id }
      : { outcome: 'skip' as const, reason: 'already_subscribed' as const };
    await tx.db.update(subscriberImportLines).set(changes).where(whereLine(line));
    return brought && { checkout: brought.checkout, isRepeated: false };
  });
}

const whereLine = ({ importId, line }: LineRow) =>
  and(eq(subscriberImportLines.importId, importId), eq(subscriberImportLines.line, line));

async function findShow({ db }: Pick<Ctx, 'db'>, id: number): Promise<ProductRow> {
  const [show] = await db.select().from(products).where(eq(products.id, id));
  return show!;
}

function toBrought({ account }: ImportRow, line: LineRow, show: ProductRow) {
  return {
    ...{ email: line.email!, name: line.name, customerId: line.customerId!, account },
    language: show.language === 'es' ? ('es' as const) : ('en' as const),
    ...{ creatorId: show.creatorId, productId: show.id, title: show.name },
    ...{ priceMinor: line.priceMinor!, currency: line.currency as Currency, every: line.every! },
  };
}

type Bringing = { row: ImportRow; line: LineRow; checkout: CheckoutRow };

/** The subscription continues: only the reference and our fee are set. */
async function adoptLine(ctx: Ctx, { row, line, checkout }: Bringing): Promise<Subscription> {
  const payments = onAccount(ctx, row.account).ports.payments;
  return payments.adoptSubscription(
    line.subscriptionId!,
    { reference: { checkout: checkout.id }, ...(await feeOf(ctx, row, checkout)) },
    `import/${checkout.id}/adopt`,
  );
}

/** The fee of the creator's current plan. */
async function feeOf(ctx: Ctx, { account, creatorId }: ImportRow, { terms }: CheckoutRow) {
  if (account === null) return {};
  return { platformFee: { feePercent: feePercent(await currentPlan(ctx, creatorId), terms.priceMinor) } };
}

/**
 * The provider keeps keys only for a day: a repeated attempt first looks for objects of an earlier attempt, which may
 * be older.
 */
async function recreateLine(
  ctx: Ctx,
  { row, line, checkout, isRepeated }: Bringing & { isRepeated: boolean },
): Promise<Subscription> {
  const payments = onAccount(ctx, row.account).ports.payments;
  const customer = line.customerId!;
  const limit = SUBSCRIBER_IMPORT_LIMITS.pageSize;
  const found = isRepeated ? await payments.listSubscriptions({ customer, limit }) : [];
  const former = found.find(({ reference }) => reference.checkout === checkout.id);
  if (former) return former;
  const cards = await payments.listCards(customer);
  const card = cards.find(({ isDefault }) => isDefault) ?? cards[0];
  if (!card) throw lineFailed();
  const { name, every, priceMinor, currency } = checkout.terms;
  const startedAt = line.startedAt && line.startedAt < checkout.createdAt ? line.startedAt : undefined;
  return payments.importSubscription(
    {
      ...{ customer, card: card.id, name, price: { minor: priceMinor, currency }, every: every! },
      ...{ at: checkout.createdAt, renewsAt: line.renewsAt!, startedAt, reference: { checkout: checkout.id } },
      ...(await feeOf(ctx, row, checkout)),
    },
    `import/${checkout.id}`,
  );
}

/** Redirects the address of the old private feed to the new one, and tells the person once. */
async function finishLine(tx: TxCtx, { row, line, checkout }: Bringing): Promise<void> {
  const isOpen = and(whereLine(line), eq(subscriberImportLines.state, 'checked'), isNull(subscriberImportLines.doneAt));
  const done = await tx.db
    .update(subscriberImportLines)
    .set({ state: 'done', doneAt: tx.now(), failure: null })
    .where(isOpen)
    .returning({ line: subscriberImportLines.line });
  if (done.length === 0) return;
  const { feedHash: hash, sealedFeed: sealedUrl } = line;
  const owner = { creatorId: row.creatorId, productId: row.productId, userId: checkout.userId! };
  if (hash && sealedUrl)
    await tx.db
      .insert(oldFeedAddresses)
      .values({ hash, sealedUrl, ...owner, createdAt: tx.now() })
      .onConflictDoNothing();
  if (row.sendsWelcome) await queueWelcome(tx, checkout);
  // the show was deleted or made free before this subscription was stored here, so the subscription was not ended
  if (whyNotSold(await findShow(tx, row.productId)))
    await tx.jobs.enqueue(syncShowSubscriptions, { productId: row.productId });
}
