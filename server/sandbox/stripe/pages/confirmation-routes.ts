import type { Context, Hono } from 'hono';
import type Stripe from 'stripe';
import { concludeInvoice } from '../billing/invoice-collection';
import { complete } from '../checkout/completion';
import type { Order } from '../checkout/orders';
import type { Work } from '../engine/account-work';
import { runWork, type SandboxContext } from '../engine/context';
import { PLATFORM } from '../engine/store';
import { completeOnboarding, onboardingOf } from '../money/accounts';
import { attemptIntent, failIntent } from '../money/payment-intents';
import { attemptSetup, failSetup } from '../money/setup-intents';
import { idOf } from '../wire/objects';
import { DECLINE_SENTENCES } from '../wire/test-cards';
import { authenticatePage, closedPage, onboardingPage } from './checkout-page';
import { formOf, languageOf, successUrl } from './checkout-routes';
import { money, PAGE_HEADERS } from './layout';

const MERCHANT = 'Altavoz (sandbox)';
const NOT_PROVEN = { code: 'payment_intent_authentication_failure', declineCode: 'authentication_required' };

/** What waits for an answer: a session, a payment or a set-up. */
type Waiting = Stripe.Checkout.Session | Stripe.PaymentIntent | Stripe.SetupIntent;

async function waiting(work: Work, id: string): Promise<Waiting | null> {
  if (id.startsWith('cs_')) {
    const session = await work.get('checkout.session', id);
    return session?.status === 'open' && (work.hidden(session).order as Order).pendingCard ? session : null;
  }
  const found = (await work.get('payment_intent', id)) ?? (await work.get('setup_intent', id));
  return found?.status === 'requires_action' ? found : null;
}

export function mountQuestions(app: Hono, context: SandboxContext): void {
  const accountOf = (c: Context) => c.req.query('account') || PLATFORM;
  app.get('/authenticate/:id', async (c) => {
    const found = await runWork(context, (work) => waiting(work.on(accountOf(c)), c.req.param('id')));
    if (!found) return c.html(closedPage(languageOf(c), 'closed'), 404, PAGE_HEADERS);
    const language = languageOf(c, found.object === 'checkout.session' ? found.locale : null);
    return c.html(
      authenticatePage({ language, amount: amountShown(found, language), merchant: MERCHANT }),
      200,
      PAGE_HEADERS,
    );
  });
  app.post('/authenticate/:id', async (c) => {
    const proven = (await formOf(c)).answer === 'yes';
    const target = await runWork(context, async (work) => {
      const there = work.on(accountOf(c));
      const found = await waiting(there, c.req.param('id'));
      return found && answered(there, found, proven);
    });
    return target ? c.redirect(target, 303) : c.html(closedPage(languageOf(c), 'done'), 404, PAGE_HEADERS);
  });
  mountOnboarding(app, context);
}

/** Nobody gets in, or is sent on, but through a link that `account_links` made. */
function mountOnboarding(app: Hono, context: SandboxContext): void {
  const closed = (c: Context) => c.html(closedPage(languageOf(c), 'closed'), 404, PAGE_HEADERS);
  app.get('/onboarding/:id', async (c) => {
    const link = await runWork(context, (work) => onboardingOf(work, c.req.param('id'), c.req.query('token') ?? ''));
    return link ? c.html(onboardingPage(languageOf(c), link.returnUrl), 200, PAGE_HEADERS) : closed(c);
  });
  app.post('/onboarding/:id', async (c) => {
    const link = await runWork(context, async (work) => {
      const found = await onboardingOf(work, c.req.param('id'), c.req.query('token') ?? '');
      if (found) completeOnboarding(work, found.account);
      return found;
    });
    return link ? c.redirect(link.returnUrl, 303) : closed(c);
  });
}

function amountShown(found: Waiting, language: 'en' | 'es'): string | null {
  if (found.object === 'payment_intent') return money(found.amount, found.currency, language);
  if (found.object === 'setup_intent' || found.mode === 'setup' || !found.amount_total) return null;
  return money(found.amount_total, found.currency ?? 'eur', language);
}

async function answered(work: Work, found: Waiting, proven: boolean): Promise<string> {
  if (found.object === 'checkout.session') return sessionAnswered(work, found, proven);
  if (found.object === 'payment_intent') return paymentAnswered(work, found, proven);
  const back = found.next_action?.redirect_to_url?.return_url ?? '/';
  if (proven) {
    work.hidden(found).authenticated = true;
    await attemptSetup(work, found, await work.find('payment_method', idOf(found.payment_method) ?? ''));
  } else
    failSetup(work, found, {
      code: 'setup_intent_authentication_failure',
      message: DECLINE_SENTENCES.authentication_required,
      type: 'invalid_request_error',
    } as never);
  return back;
}

async function sessionAnswered(work: Work, session: Stripe.Checkout.Session, proven: boolean): Promise<string> {
  const order = work.hidden(session).order as Order;
  const method = await work.find('payment_method', order.pendingCard ?? '');
  order.pendingCard = undefined;
  const page = `${work.pages}/pay/${session.id}`;
  if (!proven) return `${page}?declined=authentication`;
  const { email = null, name = null } = session.customer_details ?? {};
  const done = await complete(work, session, { email, name, method, authenticated: true });
  return done.result === 'complete' ? successUrl(session) : `${page}?declined=card`;
}

async function paymentAnswered(work: Work, intent: Stripe.PaymentIntent, proven: boolean): Promise<string> {
  const back = intent.next_action?.redirect_to_url?.return_url;
  const invoiceId = work.hidden(intent).invoice;
  const invoice = invoiceId ? await work.get('invoice', invoiceId) : null;
  if (proven) {
    work.hidden(intent).authenticated = true;
    await attemptIntent(work, intent, await work.find('payment_method', idOf(intent.payment_method) ?? ''), {
      offSession: false,
    });
  } else failIntent(work, intent, NOT_PROVEN);
  if (invoice?.status === 'open') await concludeInvoice(work, invoice, intent);
  return (
    back ??
    (invoice ? `${work.pages}/invoices/${invoice.id}` : `${work.pages}/receipts/${idOf(intent.latest_charge) ?? ''}`)
  );
}
