import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { Refund } from '../../../adapters/payments/objects';
import { type Locale, localeOf, localeOfUser } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { languagePrefix, RECEIPTS_PATH } from '../../../base/public-paths';
import type { TxCtx } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { findCreator } from '../../creators/queries';
import { queueEmail } from '../../notifications/outbox';
import { accountEmail } from '../../notifications/templates/account-email';
import { emailId } from '../base/names';
import { lookupCheckout, type SaleRow } from '../base/queries';

type Refunded = Pick<Refund, 'id' | 'amount'>;

/** Emails the person who has paid, once for each refund. Donors without an account have no list of receipts. */
export async function tellBuyer(tx: TxCtx, sale: SaleRow, refund: Refunded): Promise<void> {
  const { userId, email: to } = sale;
  if (userId === null) return to === null ? undefined : tellGuest(tx, { ...sale, email: to }, refund);
  const user = await findUser(tx, userId);
  const language = user.language ?? tx.language;
  await queueAccountEmail(tx, user, {
    ...factsOf(sale, refund, localeOfUser(user)),
    ...{ topic: 'payment_refunded', id: emailId(refund, 'payment_refunded') },
    url: tx.urls.app(languagePrefix(language) + RECEIPTS_PATH),
  });
}

async function tellGuest(tx: TxCtx, sale: SaleRow & { email: string }, refund: Refunded): Promise<void> {
  const checkout = sale.checkoutId === null ? null : await lookupCheckout(tx, sale.checkoutId);
  const language = checkout?.language ?? DEFAULT_LANGUAGE;
  const { domain } = await findCreator(tx, sale.creatorId);
  const facts = { ...factsOf(sale, refund, localeOf(language)), name: sale.buyer.name, url: tx.urls.creator(domain) };
  const t = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
  const email = accountEmail(t, 'donation_refunded', facts);
  const id = emailId(refund, 'payment_refunded');
  await queueEmail(tx, { id, to: sale.email, userId: null, topic: 'payment_refunded', language, ...email });
}

/** Emails the creator, once, about a refund that was not theirs. Payments for plans belong to the operator. */
export async function tellCreator(tx: TxCtx, sale: SaleRow, refund: Refunded): Promise<void> {
  if (sale.purpose === 'plan') return;
  const creator = await findCreator(tx, sale.creatorId);
  if (creator.closedAt) return;
  const owner = await findUser(tx, creator.userId);
  const language = owner.language ?? tx.language;
  await queueAccountEmail(tx, owner, {
    ...factsOf(sale, refund, localeOfUser(owner)),
    ...{ topic: 'sale_refunded', id: emailId(refund, 'sale_refunded') },
    url: tx.urls.app(`${languagePrefix(language)}/dashboard`),
  });
}

const factsOf = ({ name, currency }: SaleRow, { amount: { minor } }: Refunded, locale: Locale) => ({
  show: name,
  amount: formatMoney({ minor, currency }, locale),
});
