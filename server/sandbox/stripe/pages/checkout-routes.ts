import type { Context, Hono } from 'hono';
import type Stripe from 'stripe';
import { codeNamed } from '../billing/promotion-codes';
import { complete } from '../checkout/completion';
import { type Order, type Priced, priced, totalsToday, trialEndOf } from '../checkout/orders';
import type { Work } from '../engine/account-work';
import { runWork, type SandboxContext } from '../engine/context';
import { DAY } from '../engine/time';
import { newCard } from '../money/payment-methods';
import { StripeFault } from '../wire/faults';
import { idOf } from '../wire/objects';
import { cardByNumber, TEST_CARDS } from '../wire/test-cards';
import { closedPage, type PayView, payPage } from './checkout-page';
import { PAGE_HEADERS } from './layout';
import { declineText, PAGE_TEXTS, type PageLanguage, pageLanguage } from './texts';

type Said = Record<string, string>;

export const formOf = async (c: Context): Promise<Said> => Object.fromEntries(new URLSearchParams(await c.req.text()));

export const languageOf = (c: Context, ...asked: (string | null | undefined)[]) =>
  pageLanguage(c.req.query('language'), ...asked, c.req.header('accept-language'));

/** Where the customer goes after it is done; `{CHECKOUT_SESSION_ID}` in it is filled in. */
export const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);

export function mountCheckout(app: Hono, context: SandboxContext): void {
  const shown = async (c: Context, id: string, outcome: Omit<PayOutcome, 'redirect'>) => {
    const view = await runWork(context, async (work) => {
      const session = await work.find('checkout.session', id);
      return viewOf(work, session, { ...outcome, language: languageOf(c, session.locale) });
    });
    return c.html(payPage(view), outcome.fault ? 402 : 200, PAGE_HEADERS);
  };
  app.get('/pay/:id', async (c) => {
    const { session, answer } = await opened(context, c);
    return answer ?? shown(c, session.id, { said: {}, fault: faultOf(c, session) });
  });
  app.post('/pay/:id', async (c) => {
    const { session, answer } = await opened(context, c);
    if (answer) return answer;
    const said = await formOf(c);
    const language = languageOf(c, session.locale);
    const outcome = await pay(context, session.id, { said, language });
    return outcome.redirect ? c.redirect(outcome.redirect, 303) : shown(c, session.id, { ...outcome, said });
  });
}

/** What went wrong at the bank, when one comes back from there. */
function faultOf(c: Context, session: Stripe.Checkout.Session): string | null {
  const texts = PAGE_TEXTS[languageOf(c, session.locale)];
  const declined = c.req.query('declined');
  return declined === undefined ? null : declined === 'authentication' ? texts.authFailed : texts.generic_decline;
}

async function opened(
  context: SandboxContext,
  c: Context,
): Promise<{ session: Stripe.Checkout.Session; answer: Response | null }> {
  const session = await runWork(context, (work) => work.get('checkout.session', c.req.param('id') ?? ''));
  const language = languageOf(c, session?.locale);
  const closed = (sentence: 'expired' | 'done' | 'notFound', status: 404 | 410) =>
    c.html(closedPage(language, sentence), status, PAGE_HEADERS);
  if (!session) return { session: null as never, answer: await closed('notFound', 404) };
  if (session.status === 'complete') return { session, answer: c.redirect(successUrl(session), 303) };
  if (session.status === 'expired' || session.expires_at <= context.now())
    return { session, answer: await closed('expired', 410) };
  return { session, answer: null };
}

type PayOutcome = { redirect: string | null; said: Said; fault: string | null };
type Filled = { said: Said; language: PageLanguage };

async function pay(context: SandboxContext, id: string, filled: Filled): Promise<PayOutcome> {
  const { said, language } = filled;
  try {
    return { said, ...(await runWork(context, (work) => payIn(work, id, filled))) };
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    const reason = error.body.decline_code ?? error.body.code ?? '';
    return { redirect: null, said, fault: declineText(PAGE_TEXTS[language], reason) };
  }
}

async function payIn(work: Work, id: string, { said, language }: Filled): Promise<Omit<PayOutcome, 'said'>> {
  const session = await work.find('checkout.session', id);
  const texts = PAGE_TEXTS[language];
  const stays = (fault: string | null) => ({ redirect: null, fault });
  const code = await codeIn(work, said);
  if (said.code?.trim() && !code) return stays(texts.wrongCode);
  if (said.step === 'code') return stays(null);
  if (session.customer === null && !/^\S+@\S+$/.test(said.email ?? session.customer_email ?? ''))
    return stays(texts.wrongEmail);
  const { total } = await totalsWith(work, session, code);
  const method = needsCard(session, total) ? await cardOf(work, session, said) : null;
  if (method === undefined) return stays(texts.wrongCard);
  const customer = session.customer ? await work.get('customer', idOf(session.customer)) : null;
  const email = customer?.email ?? said.email ?? session.customer_email;
  const name = said.name || (customer?.name ?? null);
  const done = await complete(work, session, { email, name, method, promotionCode: code?.id });
  if (done.result === 'declined') return stays(declineText(texts, done.decline.declineCode));
  const asks = done.result === 'authenticate';
  return { redirect: asks ? `${work.pages}/authenticate/${session.id}` : successUrl(session), fault: null };
}

const codeIn = async (work: Work, { code = '' }: Said) => (code.trim() ? codeNamed(work, code.trim()) : null);

function needsCard({ mode, payment_method_collection }: Stripe.Checkout.Session, total: number): boolean {
  return mode === 'setup' || total > 0 || (mode === 'subscription' && payment_method_collection === 'always');
}

/** What the session comes to with the code that was typed, before it is redeemed. */
async function totalsWith(
  work: Work,
  session: Stripe.Checkout.Session,
  code: Stripe.PromotionCode | null,
): Promise<{ total: number; discount: number }> {
  const coupon = code ? await work.get('coupon', idOf(code.promotion.coupon) ?? '') : null;
  if (!coupon) return { total: session.amount_total ?? 0, discount: session.total_details?.amount_discount ?? 0 };
  const { id, percent_off: percent, amount_off: amount } = coupon;
  return totalsToday(work, work.hidden(session).order as Order, [{ id, percent, amount }]);
}

/** The card that was chosen: a saved one, or a test card by its number; undefined: none that this sandbox knows. */
async function cardOf(
  work: Work,
  session: Stripe.Checkout.Session,
  said: Said,
): Promise<Stripe.PaymentMethod | undefined> {
  if (said.saved && session.customer) {
    const saved = await work.get('payment_method', said.saved);
    return saved && idOf(saved.customer) === idOf(session.customer) ? saved : undefined;
  }
  const behaviour = cardByNumber(said.number || said.picked || '');
  const month = Number(said.month || 12);
  const year = Number(said.year || yearNow() + 3);
  if (!behaviour || !(month >= 1 && month <= 12) || !(year >= 2000 && year <= 2100)) return undefined;
  return newCard(work, { behaviour, month, year, email: said.email, name: said.name });
}

const yearNow = () => new Date().getUTCFullYear();

type Shown = Filled & { fault: string | null };

async function viewOf(work: Work, session: Stripe.Checkout.Session, { said, ...shown }: Shown): Promise<PayView> {
  const order = work.hidden(session).order as Order;
  const { total, discount } = await totalsWith(work, session, await codeIn(work, said));
  return {
    ...shown,
    said,
    mode: session.mode as PayView['mode'],
    donation: session.submit_type === 'donate',
    currency: session.currency ?? 'eur',
    lines: linesOf(await priced(work, order)),
    trialDays: trialDaysOf(order, work.now()),
    discount,
    total,
    asksEmail: session.customer === null && session.customer_email === null,
    asksCode: session.allow_promotion_codes === true,
    needsCard: needsCard(session, total),
    savedCards: await savedCards(work, session),
    testCards: TEST_CARDS.map(({ number, token }) => ({ number: inGroups(number), label: token })),
    cancelUrl: session.cancel_url,
    year: yearNow(),
  };
}

const inGroups = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');

const linesOf = ({ lines, prices }: Priced): PayView['lines'] =>
  lines.map(({ name, quantity }, i) => ({
    name,
    quantity,
    amount: (prices[i]?.unit_amount ?? 0) * quantity,
    interval: prices[i]?.recurring?.interval ?? null,
  }));

function trialDaysOf(order: Order, now: number): number | null {
  const end = trialEndOf(order, now);
  return end === null ? null : Math.max(1, Math.round((end - now) / DAY));
}

async function savedCards(work: Work, session: Stripe.Checkout.Session): Promise<PayView['savedCards']> {
  if (!session.customer || session.mode === 'setup') return [];
  const found = await work.list('payment_method', { customer: idOf(session.customer) }, { limit: 10 });
  return found.map(({ id, card }) => ({
    id,
    label: `${card?.brand} ···· ${card?.last4} (${card?.exp_month}/${card?.exp_year})`,
  }));
}
