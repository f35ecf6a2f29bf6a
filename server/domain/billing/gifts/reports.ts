import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { gifts } from '~/db/schema/gifts';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { formatDate, localeOf } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { languagePrefix, MY_FEED_PATH, REGISTER_PAYMENT_PATH } from '../../../base/public-paths';
import { earlier } from '../../../base/time';
import { EMAIL_LINK_LIMITS } from '../../../limits/accounts';
import { GIFT_LIMITS } from '../../../limits/billing';
import type { TxCtx } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser, lookupUserByEmail, type UserRow } from '../../accounts/base/queries';
import { brandOf } from '../../creators/rules';
import { coverUrls } from '../../media/rules';
import { countEmails, type OutgoingEmail, queueEmail } from '../../notifications/outbox';
import { accountEmail } from '../../notifications/templates/account-email';
import type { EmailContent } from '../../notifications/templates/layout';
import type { ProductRow } from '../../products/queries';
import { type GiftRow, giftUrl } from '../base/gift-links';
import { emailId } from '../base/names';
import type { CheckoutRow } from '../base/queries';

type Bought = { row: CheckoutRow; buyer: UserRow; product: ProductRow };

/**
 * Emails the link to the giver, and to the receiver if an address is given: it may be any person's address, so it has a
 * daily limit. Each email is queued once.
 */
export async function queueGiftEmails(
  tx: TxCtx,
  bought: Bought,
  footerLink: { label: string; url: string },
): Promise<void> {
  const [gift] = await tx.db.select().from(gifts).where(eq(gifts.checkoutId, bought.row.id));
  if (!gift) return;
  await queueToGiver(tx, { ...bought, gift, footerLink });
  if (gift.recipientEmail !== null) await queueToReceiver(tx, { ...bought, gift, to: gift.recipientEmail });
}

type ToGiver = Bought & { gift: GiftRow; footerLink: { label: string; url: string } };

async function queueToGiver(tx: TxCtx, { row, buyer, product, gift, footerLink }: ToGiver): Promise<void> {
  const { language } = row;
  const locale = localeOf(language, buyer.country);
  const t = textsOf(tx, language);
  const { priceMinor: minor, currency } = row.terms;
  const { subject, content } = accountEmail(t, 'gift_bought', {
    name: buyer.name,
    url: giftUrl(tx, gift, language),
    show: product.name,
    what: whatOf(t, gift),
    amount: formatMoney({ minor, currency }, locale),
    date: formatDate(gift.expiresAt, locale),
  });
  const sent = gift.recipientEmail === null ? [] : [t('mail:gift.sentTo', { email: gift.recipientEmail })];
  await queueEmail(tx, {
    id: emailId(row, 'gift_bought'),
    to: buyer.email,
    userId: buyer.id,
    topic: 'gift_bought',
    language,
    subject,
    content: { ...content, paragraphs: [...content.paragraphs, ...sent], footerLink },
  });
}

type ToReceiver = Bought & { gift: GiftRow; to: string };

/** Uses the language of the account with this address, otherwise the language of the giver's page. */
async function queueToReceiver(tx: TxCtx, { row, buyer, product, gift, to }: ToReceiver): Promise<void> {
  const topic = 'gift_received';
  const since = earlier(tx.now(), EMAIL_LINK_LIMITS.window);
  if ((await countEmails(tx, { to, topic, since })) >= GIFT_LIMITS.toOneAddress) return;
  const receiver = await lookupUserByEmail(tx, to);
  const language = receiver?.language ?? row.language;
  const t = textsOf(tx, language);
  const { recipientName: name, message } = gift;
  const giver = gift.giverName ?? buyer.name;
  const { subject, content } = accountEmail(t, giver ? topic : 'gift_received_unsigned', {
    ...{ name, giver },
    url: giftUrl(tx, gift, language),
    show: product.name,
    what: whatOf(t, gift),
    date: formatDate(gift.expiresAt, localeOf(language, receiver?.country)),
  });
  const hello = name ? [t('mail:gift.hello', { name })] : [];
  const letter = message ? [t(giver ? 'mail:gift.message' : 'mail:gift.messageUnsigned', { giver, message })] : [];
  const [why = '', ...rest] = content.paragraphs;
  const card = await giftCard(tx, product, t);
  const email: OutgoingEmail = { to, userId: null, topic, language, subject, content };
  await queueEmail(tx, {
    ...email,
    id: emailId(row, topic),
    content: { ...content, card, paragraphs: [...hello, why, ...letter, ...rest] },
  });
}

async function giftCard(tx: TxCtx, product: ProductRow, t: Translate): Promise<EmailContent['card']> {
  const { name, buttonColor, textColor } = creators;
  const [creator] = await tx.db
    .select({ name, buttonColor, textColor })
    .from(creators)
    .where(eq(creators.id, product.creatorId));
  return {
    image: tx.urls.media(coverUrls(product.coverKey).jpg),
    title: product.name,
    note: t('mail:gift.by', { name: creator?.name ?? '' }),
    color: creator ? (brandOf(creator)?.button ?? null) : null,
  };
}

type Ended = { user: UserRow; show: string };

/** Offers a subscription to the gift's show. */
export async function reportEnded(tx: TxCtx, { productId }: GiftRow, { user, show }: Ended): Promise<void> {
  const prefix = languagePrefix(user.language ?? DEFAULT_LANGUAGE);
  const url = tx.urls.app(`${prefix}${REGISTER_PAYMENT_PATH}?product=${productId}`);
  await queueAccountEmail(tx, user, { topic: 'gift_ended', url, show });
}

/** Tells the receiver that the giver got the money back, and that access has ended with it. */
export async function reportTakenBack(tx: TxCtx, userId: number, show: string): Promise<void> {
  const user = await findUser(tx, userId);
  if (user.deletedAt) return;
  const url = tx.urls.app(languagePrefix(user.language ?? DEFAULT_LANGUAGE) + MY_FEED_PATH);
  await queueAccountEmail(tx, user, { topic: 'gift_taken_back', url, show });
}

type Translate = (key: string, params?: Record<string, string | number>) => string;

const whatOf = (t: Translate, { months }: GiftRow): string =>
  months === null ? t('mail:gift.once') : t('mail:gift.months', { count: months });

const textsOf =
  (tx: TxCtx, language: Language): Translate =>
  (key, params) =>
    tx.translate(key, params, language);
