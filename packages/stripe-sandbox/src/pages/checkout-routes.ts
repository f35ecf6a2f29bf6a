import type { Context, Hono } from 'hono';
import type Stripe from 'stripe';
import { findActiveCode } from '../billing/promotion-codes';
import { completeSession } from '../checkout/completion';
import { type Order, type PricedOrder, totalsToday, trialEndOf, withPrices } from '../checkout/orders';
import { offeredCards } from '../checkout/saved-cards';
import type { Work } from '../engine/account-work';
import { runWork, type SandboxContext } from '../engine/context';
import { PLATFORM } from '../engine/store';
import { DAY } from '../engine/time';
import { addressIn, newCard } from '../money/payment-methods';
import { StripeFault } from '../wire/faults';
import { idOf } from '../wire/objects';
import { cardByNumber, TEST_CARDS } from '../wire/test-cards';
import { type CheckoutView, checkoutPage, messagePage } from './checkout-page';
import { PAGE_HEADERS } from './layout';

import { declineText, type Language, PAGE_TEXTS, pageLanguage } from './texts';

type FormFields = Record<string, string>;

export const readForm = async (c: Context): Promise<FormFields> =>
  Object.fromEntries(new URLSearchParams(await c.req.text()));

export const requestLanguage = (c: Context, ...preferences: (string | null | undefined)[]) =>
  pageLanguage(c.req.query('language'), ...preferences, c.req.header('accept-language'));

/** The account in the page's address: only pages of connected accounts name theirs. */
export const accountOf = (c: Context): string => c.req.query('account') || PLATFORM;
const onAccount = (work: Work, c: Context) => work.forAccount(accountOf(c));

/**
 * The address to which the customer is redirected after paying; `{CHECKOUT_SESSION_ID}` is replaced by the session's
 * id.
 */
export const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);

export function mountCheckout(app: Hono, context: SandboxContext): void {
  const render = async (c: Context, id: string, outcome: Omit<SubmitResult, 'redirect'>) => {
    const view = await runWork(context, async (platform) => {
      const work = onAccount(platform, c);
      const session = await work.find('checkout.session', id);
      return viewOf(work, session, { ...outcome, language: requestLanguage(c, session.locale) });
    });
    return c.html(checkoutPage(view), outcome.error ? 402 : 200, PAGE_HEADERS);
  };
  app.get('/pay/:id', async (c) => {
    const { session, response } = await openSession(context, c);
    return response ?? render(c, session.id, { fields: {}, error: declineMessage(c, session) });
  });
  app.post('/pay/:id', async (c) => {
    const { session, response } = await openSession(context, c);
    if (response) return response;
    const fields = await readForm(c);
    const language = requestLanguage(c, session.locale);
    const outcome = await submit(context, session.id, { fields, language, account: accountOf(c) });
    return outcome.redirect ? c.redirect(outcome.redirect, 303) : render(c, session.id, { ...outcome, fields });
  });
}

/** The error to show after a failed authentication. */
function declineMessage(c: Context, session: Stripe.Checkout.Session): string | null {
  const texts = PAGE_TEXTS[requestLanguage(c, session.locale)];
  const declined = c.req.query('declined');
  return declined === undefined ? null : declined === 'authentication' ? texts.authFailed : texts.generic_decline;
}

async function openSession(
  context: SandboxContext,
  c: Context,
): Promise<{ session: Stripe.Checkout.Session; response: Response | null }> {
  const session = await runWork(context, (work) => onAccount(work, c).get('checkout.session', c.req.param('id') ?? ''));
  const language = requestLanguage(c, session?.locale);
  const showMessage = (message: 'expired' | 'done' | 'notFound', status: 404 | 410) =>
    c.html(messagePage(language, message), status, PAGE_HEADERS);
  if (!session) return { session: null as never, response: await showMessage('notFound', 404) };
  if (session.status === 'complete') return { session, response: c.redirect(successUrl(session), 303) };
  if (session.status === 'expired' || session.expires_at <= context.now())
    return { session, response: await showMessage('expired', 410) };
  return { session, response: null };
}

type SubmitResult = { redirect: string | null; fields: FormFields; error: string | null };
type Submission = { fields: FormFields; language: Language; account: string };

async function submit(context: SandboxContext, id: string, submission: Submission): Promise<SubmitResult> {
  const { fields, language, account } = submission;
  try {
    return { fields, ...(await runWork(context, (work) => submitIn(work.forAccount(account), id, submission))) };
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    const reason = error.body.decline_code ?? error.body.code ?? '';
    return { redirect: null, fields, error: declineText(PAGE_TEXTS[language], reason) };
  }
}

async function submitIn(
  work: Work,
  id: string,
  { fields, language }: Omit<Submission, 'account'>,
): Promise<Omit<SubmitResult, 'fields'>> {
  const session = await work.find('checkout.session', id);
  const texts = PAGE_TEXTS[language];
  const stay = (error: string | null) => ({ redirect: null, error });
  const code = await findCode(work, fields);
  if (fields.code?.trim() && !code) return stay(texts.wrongCode);
  if (fields.step === 'code') return stay(null);
  if (session.customer === null && !/^\S+@\S+$/.test(fields.email ?? session.customer_email ?? ''))
    return stay(texts.wrongEmail);
  const { total } = await totalsWithCode(work, session, code);
  const method = needsCard(session, total) ? await chooseCard(work, session, fields) : null;
  if (method === undefined) return stay(texts.wrongCard);
  const customer = session.customer ? await work.get('customer', idOf(session.customer)) : null;
  const email = customer?.email ?? fields.email ?? session.customer_email;
  const name = fields.name || (customer?.name ?? null);
  const done = await completeSession(work, session, {
    email,
    name,
    country: countryOf(fields),
    method,
    promotionCode: code?.id,
  });
  if (done.result === 'declined') return stay(declineText(texts, done.decline.declineCode));
  const authenticates = done.result === 'authenticate';
  return {
    redirect: authenticates ? `${work.pages}/authenticate/${session.id}${work.pageQuery}` : successUrl(session),
    error: null,
  };
}

const findCode = async (work: Work, { code = '' }: FormFields) =>
  code.trim() ? findActiveCode(work, code.trim()) : null;

function needsCard({ mode, payment_method_collection }: Stripe.Checkout.Session, total: number): boolean {
  return mode === 'setup' || total > 0 || (mode === 'subscription' && payment_method_collection === 'always');
}

/** The totals with the entered code, before it is redeemed. */
async function totalsWithCode(
  work: Work,
  session: Stripe.Checkout.Session,
  code: Stripe.PromotionCode | null,
): Promise<{ total: number; discount: number }> {
  const coupon = code ? await work.get('coupon', idOf(code.promotion.coupon) ?? '') : null;
  if (!coupon) return { total: session.amount_total ?? 0, discount: session.total_details?.amount_discount ?? 0 };
  const { id, percent_off: percent, amount_off: amount } = coupon;
  return totalsToday(work, work.hidden(session).order as Order, [{ id, percent, amount }]);
}

/** The chosen card: a saved one, or a test card by its number; undefined if the sandbox has no such card. */
async function chooseCard(
  work: Work,
  session: Stripe.Checkout.Session,
  fields: FormFields,
): Promise<Stripe.PaymentMethod | undefined> {
  if (fields.saved) return (await offeredCards(work, session)).find(({ id }) => id === fields.saved);
  const behaviour = cardByNumber(fields.number || fields.picked || '');
  const month = Number(fields.month || 12);
  const year = Number(fields.year || currentYear() + 3);
  if (!behaviour || !(month >= 1 && month <= 12) || !(year >= 2000 && year <= 2100)) return undefined;
  const country = countryOf(fields);
  const address = country === null ? null : addressIn(country);
  return newCard(work, { behaviour, month, year, email: fields.email, name: fields.name, address });
}

const COUNTRIES = 'AR AT BE CH CL CO DE ES FR GB IE IT MX NL PE PL PT SE US UY'.split(' ');

const countryOf = ({ country }: FormFields) => (country && COUNTRIES.includes(country) ? country : null);

const countryNames = (language: Language) => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    a.name.localeCompare(b.name, language),
  );
};

const currentYear = () => new Date().getUTCFullYear();

type RenderInput = Omit<Submission, 'account'> & { error: string | null };

async function viewOf(
  work: Work,
  session: Stripe.Checkout.Session,
  { fields, ...view }: RenderInput,
): Promise<CheckoutView> {
  const order = work.hidden(session).order as Order;
  const { total, discount } = await totalsWithCode(work, session, await findCode(work, fields));
  return {
    ...view,
    fields,
    mode: session.mode as CheckoutView['mode'],
    donation: session.submit_type === 'donate',
    currency: session.currency ?? 'eur',
    lines: linesOf(await withPrices(work, order)),
    trialDays: trialDaysOf(order, work.now()),
    discount,
    total,
    needsEmail: session.customer === null && session.customer_email === null,
    allowsCode: session.allow_promotion_codes === true,
    needsCard: needsCard(session, total),
    savedCards: (await offeredCards(work, session)).map(labelOf),
    testCards: TEST_CARDS.map(({ number, token }) => ({ number: groupDigits(number), label: token })),
    cancelUrl: session.cancel_url,
    countries: countryNames(view.language),
    country: countryOf(fields) ?? (view.language === 'es' ? 'ES' : 'US'),
    year: currentYear(),
  };
}

const groupDigits = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');

const linesOf = ({ lines, prices }: PricedOrder): CheckoutView['lines'] =>
  lines.map(({ name, description = null, quantity }, i) => ({
    name,
    description,
    quantity,
    amount: (prices[i]?.unit_amount ?? 0) * quantity,
    interval: prices[i]?.recurring?.interval ?? null,
  }));

function trialDaysOf(order: Order, now: number): number | null {
  const end = trialEndOf(order, now);
  return end === null ? null : Math.max(1, Math.round((end - now) / DAY));
}

const labelOf = ({ id, card }: Stripe.PaymentMethod) => ({
  id,
  label: `${card?.brand} ···· ${card?.last4} (${card?.exp_month}/${card?.exp_year})`,
});
