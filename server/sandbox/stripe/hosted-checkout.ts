import type { Context, Hono } from 'hono';
import type Stripe from 'stripe';
import { type Completion, complete } from './completing';
import { idOf } from './kinds';
import { type Order, totalsOf } from './orders';
import { PAGE_HEADERS } from './pages/layout';
import { closedPage, type PayView, payPage } from './pages/pay';
import { declineText, PAGE_TEXTS, pageLanguage } from './pages/texts';
import { newCard } from './payment-methods';
import { codeNamed } from './promotion-codes';
import { type Ground, inWork } from './requests';
import { StripeFault } from './wire/faults';
import { cardByNumber, TEST_CARDS } from './wire/test-cards';
import type { Work } from './work';

type Said = Record<string, string>;

export const formOf = async (c: Context): Promise<Said> => Object.fromEntries(new URLSearchParams(await c.req.text()));

export const languageOf = (c: Context, ...asked: (string | null | undefined)[]) =>
  pageLanguage(c.req.query('language'), ...asked, c.req.header('accept-language'));

/** Where the customer goes after it is done; `{CHECKOUT_SESSION_ID}` in it is filled in. */
export const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);

export function mountCheckout(app: Hono, ground: Ground): void {
  app.get('/pay/:id', async (c) => {
    const { session, answer } = await opened(ground, c);
    if (answer) return answer;
    const view = await inWork(ground, (work) => viewOf(work, c, session, {}, faultOf(c, session)));
    return c.html(payPage(view), 200, PAGE_HEADERS);
  });
  app.post('/pay/:id', async (c) => {
    const { session, answer } = await opened(ground, c);
    if (answer) return answer;
    const said = await formOf(c);
    const outcome = await pay(ground, c, session.id, said);
    if (outcome.redirect) return c.redirect(outcome.redirect, 303);
    const view = await inWork(ground, (work) => viewOf(work, c, session, said, outcome.fault));
    return c.html(payPage(view), outcome.fault ? 402 : 200, PAGE_HEADERS);
  });
}

/** What went wrong at the bank, when one comes back from there. */
function faultOf(c: Context, session: Stripe.Checkout.Session): string | null {
  const texts = PAGE_TEXTS[languageOf(c, session.locale)];
  const declined = c.req.query('declined');
  return declined === undefined ? null : declined === 'authentication' ? texts.authFailed : texts.generic_decline;
}

async function opened(
  ground: Ground,
  c: Context,
): Promise<{ session: Stripe.Checkout.Session; answer: Response | null }> {
  const session = await inWork(ground, (work) => work.get('checkout.session', c.req.param('id') ?? ''));
  const language = languageOf(c, session?.locale);
  const closed = (sentence: 'expired' | 'done' | 'notFound', status: 404 | 410) =>
    c.html(closedPage(language, sentence), status, PAGE_HEADERS);
  if (!session) return { session: null as never, answer: await closed('notFound', 404) };
  if (session.status === 'complete') return { session, answer: c.redirect(successUrl(session), 303) };
  if (session.status === 'expired' || session.expires_at <= ground.now())
    return { session, answer: await closed('expired', 410) };
  return { session, answer: null };
}

type PayOutcome = { redirect: string | null; fault: string | null };

async function pay(ground: Ground, c: Context, id: string, said: Said): Promise<PayOutcome> {
  let language = languageOf(c);
  try {
    return await inWork(ground, async (work) => {
      const session = await work.find('checkout.session', id);
      language = languageOf(c, session.locale);
      const texts = PAGE_TEXTS[language];
      const code = said.code?.trim() ? await codeNamed(work, said.code.trim()) : null;
      if (said.code?.trim() && !code) return { redirect: null, fault: texts.wrongCode };
      if (said.step === 'code') return { redirect: null, fault: null };
      const asksEmail = session.customer === null;
      if (asksEmail && !/^\S+@\S+$/.test(said.email ?? session.customer_email ?? ''))
        return { redirect: null, fault: texts.wrongEmail };
      const { total } = await totalsWith(work, session, code);
      const method = needsCard(session, total) ? await cardOf(work, session, said) : null;
      if (method === undefined) return { redirect: null, fault: texts.wrongCard };
      const customer = session.customer ? await work.get('customer', idOf(session.customer)) : null;
      const email = customer?.email ?? said.email ?? session.customer_email;
      const done = await complete(work, session, {
        email,
        name: said.name || (customer?.name ?? null),
        method,
        promotionCode: code?.id,
      });
      return answerTo(work, session, done, language);
    });
  } catch (error) {
    if (error instanceof StripeFault)
      return {
        redirect: null,
        fault: declineText(PAGE_TEXTS[language], error.body.decline_code ?? error.body.code ?? ''),
      };
    throw error;
  }
}

function answerTo(work: Work, session: Stripe.Checkout.Session, done: Completion, language: 'en' | 'es'): PayOutcome {
  if (done.result === 'complete') return { redirect: successUrl(session), fault: null };
  if (done.result === 'authenticate') return { redirect: `${work.pages}/authenticate/${session.id}`, fault: null };
  return { redirect: null, fault: declineText(PAGE_TEXTS[language], done.decline.declineCode) };
}

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
  const { lines, subscription } = work.hidden(session).order as Order;
  const prices = await Promise.all(lines.map((line) => work.find('price', line.price)));
  const trial = subscription.trialDays !== null || subscription.trialEnd !== null;
  return totalsOf(prices, lines, [{ id: coupon.id, percent: coupon.percent_off, amount: coupon.amount_off }], trial);
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
  const year = Number(said.year || new Date().getUTCFullYear() + 3);
  if (!behaviour || !(month >= 1 && month <= 12) || !(year >= 2000 && year <= 2100)) return undefined;
  return newCard(work, { behaviour, month, year, email: said.email, name: said.name });
}

async function viewOf(
  work: Work,
  c: Context,
  session: Stripe.Checkout.Session,
  said: Said,
  fault: string | null,
): Promise<PayView> {
  const order = work.hidden(await work.find('checkout.session', session.id)).order as Order;
  const prices = await Promise.all(order.lines.map((line) => work.find('price', line.price)));
  const code = said.code?.trim() ? await codeNamed(work, said.code.trim()) : null;
  const { total, discount } = await totalsWith(work, session, code);
  return {
    language: languageOf(c, session.locale),
    mode: session.mode as PayView['mode'],
    donation: session.submit_type === 'donate',
    currency: session.currency ?? 'eur',
    lines: order.lines.map((line, i) => ({
      name: line.name,
      quantity: line.quantity,
      amount: (prices[i]?.unit_amount ?? 0) * line.quantity,
      interval: prices[i]?.recurring?.interval ?? null,
    })),
    trialDays: trialDaysOf(order, work.now()),
    discount,
    total,
    asksEmail: session.customer === null && session.customer_email === null,
    asksCode: session.allow_promotion_codes === true,
    needsCard: needsCard(session, total),
    savedCards: await savedCards(work, session),
    testCards: TEST_CARDS.map(({ number, token }) => ({
      number: number.replace(/(\d{4})(?=\d)/g, '$1 '),
      label: token,
    })),
    cancelUrl: session.cancel_url,
    fault,
    said,
    year: new Date().getUTCFullYear(),
  };
}

function trialDaysOf({ subscription }: Order, now: number): number | null {
  if (subscription.trialDays !== null) return subscription.trialDays;
  return subscription.trialEnd === null ? null : Math.max(1, Math.round((subscription.trialEnd - now) / 86_400));
}

async function savedCards(work: Work, session: Stripe.Checkout.Session): Promise<PayView['savedCards']> {
  if (!session.customer || session.mode === 'setup') return [];
  const found = await work.list('payment_method', { customer: idOf(session.customer) }, { limit: 10 });
  return found.map(({ id, card }) => ({
    id,
    label: `${card?.brand} ···· ${card?.last4} (${card?.exp_month}/${card?.exp_year})`,
  }));
}
