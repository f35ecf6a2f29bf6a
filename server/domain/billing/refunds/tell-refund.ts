import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import type { Refund } from '../../../adapters/payments/objects';
import { RECEIPTS_PATH } from '../../../base/account-paths';
import { type Locale, localeOf, localeOfUser } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { languagePrefix } from '../../../base/public-paths';
import type { TxCtx } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { findCreatorRecord } from '../../creators/queries';
import { queueEmail } from '../../notifications/outbox';
import { accountEmail } from '../../notifications/templates/account-email';
import { emailId } from '../base/names';
import { lookupCheckout, type SaleRow } from '../base/queries';

type Refunded = Pick<Refund, 'id' | 'amount'>;

/** Emails the person who has paid, once for each refund. Erased accounts are told nothing. */
export async function tellBuyer(tx: TxCtx, sale: SaleRow, refund: Refunded): Promise<void> {
  const { userId, email: to } = sale;
  if (userId === null) return to === null ? undefined : tellGuest(tx, { ...sale, email: to }, refund);
  const user = await findUser(tx, userId);
  if (user.deletedAt) return;
  const language = user.language ?? DEFAULT_LANGUAGE;
  const facts = factsOf(sale, refund, localeOfUser(user));
  const id = emailId(refund, TOPIC);
  if (sale.purpose === 'donation') {
    const given = { ...facts, ...(await donationFacts(tx, sale, language)) };
    return queueAccountEmail(tx, user, { ...given, id, topic: TOPIC, wording: 'donation_refunded' });
  }
  const url = tx.urls.app(languagePrefix(language) + RECEIPTS_PATH);
  await queueAccountEmail(tx, user, { ...facts, id, topic: TOPIC, url });
}

const TOPIC = 'payment_refunded';

/** Only donors have no account. */
async function tellGuest(tx: TxCtx, sale: SaleRow & { email: string }, refund: Refunded): Promise<void> {
  const checkout = sale.checkoutId === null ? null : await lookupCheckout(tx, sale.checkoutId);
  const language = checkout?.language ?? DEFAULT_LANGUAGE;
  const given = { ...factsOf(sale, refund, localeOf(language)), ...(await donationFacts(tx, sale, language)) };
  const t = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, language);
  const email = accountEmail(t, 'donation_refunded', { ...given, name: sale.buyer.name });
  const id = emailId(refund, TOPIC);
  await queueEmail(tx, { id, to: sale.email, userId: null, topic: TOPIC, language, ...email });
}

/** A closed page may have lost its name, and cannot be linked to. */
async function donationFacts(tx: TxCtx, { creatorId }: SaleRow, language: Language) {
  const { name, domain, closedAt } = await findCreatorRecord(tx, creatorId);
  return { show: name || domain, url: closedAt ? tx.urls.app(languagePrefix(language)) : tx.urls.creator(domain) };
}

/** Emails the creator, once, about a refund that was not theirs. Payments for plans belong to the operator. */
export async function tellCreator(tx: TxCtx, sale: SaleRow, refund: Refunded): Promise<void> {
  if (sale.purpose === 'plan') return;
  const creator = await findCreatorRecord(tx, sale.creatorId);
  if (creator.closedAt) return;
  const owner = await findUser(tx, creator.userId);
  const language = owner.language ?? DEFAULT_LANGUAGE;
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
