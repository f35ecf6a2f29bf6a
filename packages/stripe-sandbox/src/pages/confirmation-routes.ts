import type { Context, Hono } from 'hono';
import type Stripe from 'stripe';
import { applyPaymentResult } from '../billing/invoice-collection';
import { invoicePageUrl } from '../billing/invoice-lifecycle';
import { completeSession } from '../checkout/completion';
import type { Order } from '../checkout/orders';
import type { Work } from '../engine/account-work';
import { runWork, type SandboxContext } from '../engine/context';
import { completeOnboarding, findOnboarding, findRefreshUrl } from '../money/accounts';
import { enablePayouts } from '../money/balance-settings';
import { attemptIntent, failIntent } from '../money/payment-attempts';
import { attemptSetup, failSetup } from '../money/setup-intents';
import { idOf } from '../wire/objects';
import { DECLINE_MESSAGES } from '../wire/test-cards';
import { authenticatePage, messagePage, onboardingPage } from './checkout-page';
import { accountOf, readForm, requestLanguage, successUrl } from './checkout-routes';
import { money, PAGE_HEADERS } from './layout';
import type { Language } from './texts';

const AUTHENTICATION_FAILED = { code: 'payment_intent_authentication_failure', declineCode: 'authentication_required' };

/** An object that waits for authentication. */
type Pending = Stripe.Checkout.Session | Stripe.PaymentIntent | Stripe.SetupIntent;

async function findPending(work: Work, id: string): Promise<Pending | null> {
  if (id.startsWith('cs_')) {
    const session = await work.get('checkout.session', id);
    const isOpen = session?.status === 'open' && session.expires_at > work.now();
    return isOpen && (work.hidden(session).order as Order).pendingCard ? session : null;
  }
  const found = (await work.get('payment_intent', id)) ?? (await work.get('setup_intent', id));
  return found?.status === 'requires_action' ? found : null;
}

export function mountConfirmations(app: Hono, context: SandboxContext): void {
  app.get('/authenticate/:id', async (c) => {
    const found = await runWork(context, (work) => findPending(work.forAccount(accountOf(c)), c.req.param('id')));
    if (!found) return c.html(messagePage(requestLanguage(c), 'closed'), 404, PAGE_HEADERS);
    const language = requestLanguage(c, found.object === 'checkout.session' ? found.locale : null);
    return c.html(
      authenticatePage({ language, amount: formatAmount(found, language), merchant: `${context.business} (sandbox)` }),
      200,
      PAGE_HEADERS,
    );
  });
  app.post('/authenticate/:id', async (c) => {
    const authenticated = (await readForm(c)).answer === 'yes';
    const target = await runWork(context, async (work) => {
      const accountWork = work.forAccount(accountOf(c));
      const found = await findPending(accountWork, c.req.param('id'));
      return found && applyAnswer(accountWork, found, authenticated);
    });
    return target ? c.redirect(target, 303) : c.html(messagePage(requestLanguage(c), 'done'), 404, PAGE_HEADERS);
  });
  mountOnboarding(app, context);
}

/** Only links created by `account_links` open the page or redirect. */
function mountOnboarding(app: Hono, context: SandboxContext): void {
  /** Like Stripe, a link that has expired leads to its refresh URL, where the platform creates a new link. */
  const closed = async (c: Context) => {
    const [id, token] = [c.req.param('id') ?? '', c.req.query('token') ?? ''];
    const refreshUrl = await runWork(context, (work) => findRefreshUrl(work, id, token));
    return refreshUrl
      ? c.redirect(refreshUrl, 303)
      : c.html(messagePage(requestLanguage(c), 'closed'), 404, PAGE_HEADERS);
  };
  app.get('/onboarding/:id', async (c) => {
    const link = await runWork(context, (work) => findOnboarding(work, c.req.param('id'), c.req.query('token') ?? ''));
    return link ? c.html(onboardingPage(requestLanguage(c), link.returnUrl), 200, PAGE_HEADERS) : closed(c);
  });
  app.post('/onboarding/:id', async (c) => {
    const link = await runWork(context, async (work) => {
      const found = await findOnboarding(work, c.req.param('id'), c.req.query('token') ?? '');
      if (!found) return null;
      completeOnboarding(work, found.account);
      await enablePayouts(work.forAccount(found.account.id));
      return found;
    });
    return link ? c.redirect(link.returnUrl, 303) : closed(c);
  });
}

function formatAmount(found: Pending, language: Language): string | null {
  if (found.object === 'payment_intent') return money(found.amount, found.currency, language);
  if (found.object === 'setup_intent' || found.mode === 'setup' || !found.amount_total) return null;
  return money(found.amount_total, found.currency ?? 'eur', language);
}

async function applyAnswer(work: Work, found: Pending, authenticated: boolean): Promise<string> {
  if (found.object === 'checkout.session') return answerSession(work, found, authenticated);
  if (found.object === 'payment_intent') return answerPayment(work, found, authenticated);
  const returnUrl = found.next_action?.redirect_to_url?.return_url ?? '/';
  if (authenticated) {
    work.hidden(found).authenticated = true;
    await attemptSetup(work, found, await work.find('payment_method', idOf(found.payment_method) ?? ''));
  } else
    failSetup(work, found, {
      code: 'setup_intent_authentication_failure',
      message: DECLINE_MESSAGES.authentication_required,
      type: 'invalid_request_error',
    } as never);
  return returnUrl;
}

async function answerSession(work: Work, session: Stripe.Checkout.Session, authenticated: boolean): Promise<string> {
  const order = work.hidden(session).order as Order;
  const method = await work.find('payment_method', order.pendingCard ?? '');
  order.pendingCard = undefined;
  const page = (declined: string) =>
    `${work.pages}/pay/${session.id}${work.pageQuery || '?'}${work.pageQuery && '&'}declined=${declined}`;
  if (!authenticated) return page('authentication');
  const { email = null, name = null, address } = session.customer_details ?? {};
  const payer = { email, name, country: address?.country, method, authenticated: true };
  const completion = await completeSession(work, session, payer);
  return completion.result === 'complete' ? successUrl(session) : page('card');
}

async function answerPayment(work: Work, intent: Stripe.PaymentIntent, authenticated: boolean): Promise<string> {
  const returnUrl = intent.next_action?.redirect_to_url?.return_url;
  const invoiceId = work.hidden(intent).invoice;
  const invoice = invoiceId ? await work.get('invoice', invoiceId) : null;
  if (authenticated) {
    work.hidden(intent).authenticated = true;
    await attemptIntent(work, intent, await work.find('payment_method', idOf(intent.payment_method) ?? ''), {
      offSession: false,
    });
  } else failIntent(work, intent, AUTHENTICATION_FAILED);
  if (invoice?.status === 'open') await applyPaymentResult(work, invoice, intent);
  return (
    returnUrl ??
    (invoice
      ? invoicePageUrl(work, invoice.id)
      : `${work.pages}/receipts/${idOf(intent.latest_charge) ?? ''}${work.pageQuery}`)
  );
}
