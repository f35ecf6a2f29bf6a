import { and, eq, isNull } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import type { Money } from '../../../base/money';
import { languagePrefix, PAY_OVERDUE_PATH } from '../../../base/public-paths';
import type { Ctx } from '../../../runtime/ctx';
import { readSignedToken, signToken } from '../../notifications/signed-tokens';
import { overdueLinkEnded, overdueLinkInvalid } from '../base/errors';
import { nameOf } from '../base/names';
import { lookupCheckout } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import type { FinishOverdue, OverdueLink } from '../base/schema';
import { openCheckout } from '../checkout/checkouts';
import { syncCheckout } from '../provider-sync/sync-checkout';
import { chargeToStoredCard } from './charge-card';

/**
 * The link of an email about a failed renewal. Without a login, it stores a card for this subscription only, and pays
 * the overdue amount with it. It works until the subscription has ended.
 */
const SIGNED_FOR = 'pay an overdue subscription';

export const overdueToken = (ctx: Pick<Ctx, 'vault'>, { id }: Pick<SubscriptionRow, 'id'>): string =>
  signToken(ctx, String(id), SIGNED_FOR);

export type OverdueView = { name: string; price: Money; every: SubscriptionRow['every']; isPaid: boolean } & Pick<
  SubscriptionRow,
  'confirmationUrl' | 'purpose'
>;

/**
 * The subscription of the link, without account data and cards.
 * @throws billing.overdue_link_invalid, billing.overdue_link_ended
 */
export async function findOverdue(ctx: Ctx, input: OverdueLink): Promise<OverdueView> {
  const row = await readLink(ctx, input);
  const { priceMinor: minor, currency, every, pastDueSince, confirmationUrl, purpose } = row;
  const isPaid = pastDueSince === null;
  return { name: await nameOf(ctx, row), price: { minor, currency }, every, isPaid, confirmationUrl, purpose };
}

/**
 * Opens the provider's page for a card. Repeating it opens the same page.
 * @throws billing.overdue_link_invalid, billing.overdue_link_ended
 */
export async function startOverdueCard(ctx: Ctx, { token }: OverdueLink): Promise<{ url: string }> {
  const row = await readLink(ctx, { token });
  const back = ctx.urls.app(`${languagePrefix(ctx.language)}${PAY_OVERDUE_PATH}?token=${encodeURIComponent(token)}`);
  const { url } = await openCheckout(ctx, {
    purpose: 'card',
    buyer: { userId: row.userId },
    creatorId: null,
    customer: { id: row.customerId, account: row.account },
    terms: { name: '', priceMinor: 0, currency: row.currency, every: null, subscriptionId: row.id },
    paths: { success: back, cancel: back },
  });
  return { url };
}

/**
 * Call it after the provider's page: the new card pays the overdue amount. The webhook does the same.
 * @throws billing.overdue_link_invalid, billing.overdue_link_ended; payments.card_declined and so on
 */
export async function finishOverdueCard(ctx: Ctx, { token, checkout }: FinishOverdue): Promise<void> {
  const { id } = await readLink(ctx, { token });
  const row = await lookupCheckout(ctx, checkout);
  if (row?.purpose !== 'card' || row.terms.subscriptionId !== id) throw overdueLinkInvalid();
  if (row.status === 'open' && row.providerId) await syncCheckout(ctx, row.providerId);
  const declined = await chargeToStoredCard(ctx, { checkoutId: row.id });
  if (declined) throw declined;
}

async function readLink(ctx: Ctx, { token }: OverdueLink): Promise<SubscriptionRow> {
  const id = Number(readSignedToken(ctx, token, SIGNED_FOR) ?? Number.NaN);
  if (!Number.isSafeInteger(id)) throw overdueLinkInvalid();
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), isNull(subscriptions.endedAt)));
  if (!row) throw overdueLinkEnded();
  return row;
}
