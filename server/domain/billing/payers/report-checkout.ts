import { eq } from 'drizzle-orm';
import { coupons } from '~/db/schema/coupons';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { NOTIFICATIONS_PATH, PLANS_PATH, RESET_PASSWORD_PATH } from '../../../base/account-paths';
import { formatDate, type Locale, localeOf } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { feedLinksPath, languagePrefix, SUBSCRIPTIONS_PATH } from '../../../base/public-paths';
import { BUYING_LIMITS } from '../../../limits/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { createEmailLink } from '../../accounts/base/email-links';
import { findUser, type UserRow } from '../../accounts/base/queries';
import { discountOf } from '../../coupons/rules';
import { findCreatorRecord } from '../../creators/queries';
import { queueEmail } from '../../notifications/outbox';
import { type AccountTopic, accountEmail } from '../../notifications/templates/account-email';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { emailId } from '../base/names';
import { type CheckoutRow, lookupCheckout } from '../base/queries';
import { type Charges, chargesOf, priceRise } from '../base/rules';
import { queueGiftEmails } from '../gifts/reports';

/** Emails the buyer and the creator about a checkout that was just settled. Each email is queued once. */
export async function reportCheckout(ctx: Ctx, { checkoutId }: { checkoutId: string }): Promise<void> {
  const row = await lookupCheckout(ctx, checkoutId);
  if (!row?.settledAt || row.userId === null) return;
  const buyer = await findUser(ctx, row.userId);
  if (buyer.deletedAt) return;
  if (row.productId === null) return reportOther(ctx, row, buyer);
  const { product } = await findProductRecord(ctx, row.productId);
  const sale: Sale = { row, buyer, product };
  await transact(ctx, async (tx) => {
    if (row.refusedFor) return queueRefusal(tx, sale);
    const charges = await chargesOfSale(tx, row);
    if (row.purpose === 'gift') await queueGiftEmails(tx, sale, await footerLink(tx, sale));
    else await queueConfirmation(tx, sale, charges);
    await notifyCreator(tx, sale, charges);
  });
}

/** Plans: only refused payments are reported by email; the plan's page shows the rest. */
async function reportOther(ctx: Ctx, row: CheckoutRow, buyer: UserRow): Promise<void> {
  if (row.purpose !== 'plan' || !row.refusedFor) return;
  const { language } = row;
  const topic = 'second_plan_refunded';
  const url = ctx.urls.app(languagePrefix(language) + PLANS_PATH);
  await transact(ctx, async (tx) => {
    const facts = { name: buyer.name, plan: row.terms.name, url };
    const { subject, content } = accountEmail(textsOf(tx, language), topic, facts);
    const email = { to: buyer.email, userId: buyer.id, topic, language, subject, content };
    await queueEmail(tx, { id: emailId(row, topic), ...email });
  });
}

type Sale = { row: CheckoutRow; buyer: UserRow; product: ProductRow };
type Facts = { name: string; url: string } & Record<string, string>;

const REFUSALS = {
  already_subscribed: 'second_payment_refunded',
  not_for_sale: 'ended_sale_refunded',
  trial_used: 'trial_used_before',
} as const satisfies Record<NonNullable<CheckoutRow['refusedFor']>, AccountTopic>;

async function queueRefusal(tx: TxCtx, { row, buyer, product }: Sale): Promise<void> {
  const topic = REFUSALS[row.refusedFor ?? 'already_subscribed'];
  const { language } = row;
  const url = tx.urls.app(languagePrefix(language) + SUBSCRIPTIONS_PATH);
  const { subject, content } = accountEmail(textsOf(tx, language), topic, {
    name: buyer.name,
    show: product.name,
    url,
  });
  await queueEmail(tx, {
    id: emailId(row, topic),
    to: buyer.email,
    userId: buyer.id,
    topic,
    language,
    subject,
    content,
  });
}

/**
 * Includes the creator's welcome message and, for an account that the payment has created, the link to set a password.
 */
async function queueConfirmation(tx: TxCtx, { row, buyer, product }: Sale, charges: Charges): Promise<void> {
  const { language } = row;
  const topic = charges.renewal === null ? 'bought_show' : charges.first ? 'started_trial' : 'subscribed_show';
  const facts: Facts = {
    ...amountsOf(charges, row, buyer),
    name: buyer.name,
    show: product.name,
    url: tx.urls.app(languagePrefix(language) + feedLinksPath(product.id)),
  };
  const { subject, content } = accountEmail(textsOf(tx, language), topic, facts);
  const [why = '', ...rest] = content.paragraphs;
  const welcome = product.welcomeMessage ? [product.welcomeMessage] : [];
  await queueEmail(tx, {
    id: emailId(row, 'confirmation'),
    to: buyer.email,
    userId: buyer.id,
    topic,
    language,
    subject,
    content: {
      ...content,
      paragraphs: [why, ...welcome, ...rest, ...riseOf(tx, charges, { row, buyer })],
      footerLink: await footerLink(tx, { row, buyer }),
    },
  });
}

/** The price after a coupon, unless it is that of the next payment, which the email names anyway. */
function riseOf(tx: TxCtx, charges: Charges, { row, buyer }: Omit<Sale, 'product'>): string[] {
  const rise = priceRise(charges);
  if (!rise || rise === nextOf(charges)) return [];
  const locale = localeOf(row.language, buyer.country);
  const amount = formatMoney({ minor: rise.minor, currency: row.terms.currency }, locale);
  return [textsOf(tx, row.language)('mail:purchase.rise', { amount, date: formatDate(rise.at, locale) })];
}

async function footerLink(tx: TxCtx, { row, buyer }: Omit<Sale, 'product'>) {
  const t = textsOf(tx, row.language);
  if (!row.createdAccount || buyer.passwordHash !== null)
    return { label: t('mail:purchase.manage'), url: tx.urls.app(languagePrefix(row.language) + SUBSCRIPTIONS_PATH) };
  const link = { purpose: 'reset_password', path: RESET_PASSWORD_PATH, lifetime: BUYING_LIMITS.passwordLink } as const;
  return { label: t('mail:purchase.password'), url: await createEmailLink(tx, buyer, link) };
}

/** What a settled checkout has charged, and what it will charge. */
export async function chargesOfSale(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { terms, couponId, settledAt }: CheckoutRow,
): Promise<Charges> {
  const { priceMinor: amountMinor, every, trialDays = 0 } = terms;
  const [coupon = null] = couponId === null ? [] : await ctx.db.select().from(coupons).where(eq(coupons.id, couponId));
  const reducedMinor = coupon ? amountMinor - discountOf(coupon, amountMinor) : amountMinor;
  return chargesOf({ interval: every ?? 'once', amountMinor, reducedMinor, coupon, trialDays }, settledAt ?? ctx.now());
}

/** The amount charged now, and the amounts of the next charges. */
function amountsOf(charges: Charges, { terms, language }: CheckoutRow, { country }: UserRow): Record<string, string> {
  const locale = localeOf(language, country);
  const money = (minor: number) => formatMoney({ minor, currency: terms.currency }, locale);
  const next = nextOf(charges);
  const date = next ? formatDate(next.at, locale) : '';
  return { amount: money(charges.todayMinor), nextAmount: money(next?.minor ?? 0), date };
}

const nextOf = ({ first, renewal }: Charges) => first ?? renewal;

/** Notifies the creator, unless they have turned this email off. */
async function notifyCreator(tx: TxCtx, { row, buyer, product }: Sale, charges: Charges): Promise<void> {
  const creator = await findCreatorRecord(tx, product.creatorId);
  if (creator.closedAt) return;
  const owner = await findUser(tx, creator.userId);
  const language = owner.language ?? DEFAULT_LANGUAGE;
  const t = textsOf(tx, language);
  const page = (path: string) => tx.urls.app(languagePrefix(language) + path);
  const facts = { name: owner.name, buyer: buyer.name, show: product.name, url: page('/dashboard') };
  const price = priceOf(t, charges, { row, locale: localeOf(language, owner.country) });
  const topic = charges.todayMinor > 0 ? 'new_buyer' : 'new_listener';
  const { subject, content } = accountEmail(t, topic, { ...facts, price });
  await queueEmail(tx, {
    id: emailId(row, 'new_buyer'),
    to: owner.email,
    userId: owner.id,
    topic: 'new_buyer',
    language,
    subject,
    content: { ...content, footerLink: { label: t('mail:donation.settings'), url: page(NOTIFICATIONS_PATH) } },
  });
}

type Translate = (key: string, params?: Record<string, string | number>) => string;

/** The price that the buyer pays, and the one that follows when a coupon has ended. */
function priceOf(t: Translate, charges: Charges, { row, locale }: { row: CheckoutRow; locale: Locale }): string {
  const { purpose, terms } = row;
  const money = (minor: number) => formatMoney({ minor, currency: terms.currency }, locale);
  const amount = money(charges.todayMinor);
  const rise = priceRise(charges);
  if (terms.every && rise) return t(`mail:purchase.then_${terms.every}`, { amount, regular: money(rise.minor) });
  return t(`mail:purchase.${purpose === 'gift' ? 'gift' : (terms.every ?? 'once')}`, { amount });
}

const textsOf =
  (tx: TxCtx, language: Language): Translate =>
  (key, params) =>
    tx.translate(key, params, language);
