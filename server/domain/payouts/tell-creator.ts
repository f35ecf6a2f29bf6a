import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { MONEY_PATH } from '../../base/account-paths';
import { localeOf } from '../../base/formats';
import { formatMoney } from '../../base/money';
import { languagePrefix } from '../../base/public-paths';
import type { TxCtx } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import type { PayoutRow } from './queries';
import { maskedDestination } from './rules';

/** Emails the owner about a payout, unless their account is deleted. */
export async function tellCreator(
  tx: TxCtx,
  payout: PayoutRow,
  topic: 'payout_requested' | 'payout_paid' | 'payout_returned',
): Promise<void> {
  const [creator] = await tx.db.select().from(creators).where(eq(creators.id, payout.creatorId));
  const owner = await findUser(tx, creator!.userId);
  if (owner.deletedAt) return;
  const language = owner.language ?? DEFAULT_LANGUAGE;
  await queueAccountEmail(tx, owner, {
    topic,
    url: tx.urls.app(languagePrefix(language) + MONEY_PATH),
    amount: formatMoney({ minor: payout.amountMinor, currency: payout.currency }, localeOf(language, owner.country)),
    destination: maskedDestination(payout),
    reason: payout.reason ?? '',
  });
}
