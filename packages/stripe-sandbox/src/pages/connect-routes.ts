import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type Stripe from 'stripe';
import { runWork, type SandboxContext } from '../engine/context';
import { PLATFORM } from '../engine/store';
import { completeOnboarding, disconnectAccount, findAccount, lookupConnected, newAccount } from '../money/accounts';
import { enablePayouts } from '../money/balance-settings';
import { randomText } from '../wire/ids';
import { messagePage } from './checkout-page';
import { readForm, requestLanguage } from './checkout-routes';
import { PAGE_HEADERS, page } from './layout';
import { fill, PAGE_TEXTS } from './texts';

/** How long the code of a connection works, as at Stripe. */
const CODE_SECONDS = 300;

/**
 * Connects an existing account ("OAuth reference"): the page where its owner agrees, and the two calls of the platform.
 * The owner chooses the kind of account, because the sandbox has no log-in.
 */
export function mountConnect(app: Hono, context: SandboxContext): void {
  app.get('/oauth/authorize', (c) => {
    const texts = PAGE_TEXTS[requestLanguage(c)];
    if (!returnUrl(c)) return c.html(messagePage(requestLanguage(c), 'notFound'), 404, PAGE_HEADERS);
    const choice = (value: string, text: string) => html`<button name="answer" value="${value}">${text}</button>`;
    const { business } = context;
    const title = fill(texts.connect, { business });
    const form = html`<h1>${title}</h1><p>${fill(texts.connectText, { business })}</p><form method="post">
${choice('ready', texts.connectReady)}${choice('incomplete', texts.connectIncomplete)}
<button class="quiet" name="answer" value="no">${texts.connectNo}</button></form>`;
    return c.html(page(requestLanguage(c), texts, title, form), 200, PAGE_HEADERS);
  });
  app.post('/oauth/authorize', async (c) => {
    const target = returnUrl(c);
    if (!target) return c.html(messagePage(requestLanguage(c), 'notFound'), 404, PAGE_HEADERS);
    const { answer = 'no' } = await readForm(c);
    if (answer === 'no') target.searchParams.set('error', 'access_denied');
    else target.searchParams.set('code', await agree(context, c, answer));
    return c.redirect(target.href, 303);
  });
  app.post('/oauth/token', async (c) => answer(c, await useCode(context, (await readForm(c)).code ?? '')));
  app.post('/oauth/deauthorize', async (c) => answer(c, await endConnection(context, await readForm(c))));
}

/** The address to which the owner is redirected, with the platform's `state`. */
function returnUrl(c: Context): URL | null {
  const address = c.req.query('redirect_uri') ?? '';
  if (!/^https?:/.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  url.searchParams.set('state', c.req.query('state') ?? '');
  return url;
}

/** @returns a code that works once, within some minutes */
async function agree(context: SandboxContext, c: Context, answer: string): Promise<string> {
  const code = `ac_${randomText(24)}`;
  await runWork(context, async (work) => {
    const account = newAccount(work, { email: c.req.query('stripe_user[email]') });
    work.hidden(account).oauth = { code, expires: work.now() + CODE_SECONDS };
    if (answer !== 'ready') return;
    completeOnboarding(work, account);
    await enablePayouts(work.forAccount(account.id));
  });
  return code;
}

type Answer = { status: 200 | 400 | 401; body: object };
const failed = (status: 400 | 401, error: string): Answer => ({ status, body: { error, error_description: error } });
const answer = (c: Context, { status, body }: Answer) => c.json(body, status);

const useCode = (context: SandboxContext, code: string): Promise<Answer> =>
  runWork(context, async (work) => {
    const accounts: Stripe.Account[] = await work.list('account', {}, { limit: 100 });
    const account = accounts.find((each) => work.hidden(each).oauth?.code === code);
    const oauth = account && work.hidden(account).oauth;
    if (!account || !oauth || oauth.expires <= work.now()) return failed(400, 'invalid_grant');
    work.hidden(account).oauth = undefined;
    return { status: 200, body: { stripe_user_id: account.id, scope: 'read_write', livemode: false } };
  });

const endConnection = (context: SandboxContext, form: Record<string, string>): Promise<Answer> =>
  runWork(context, async (work) => {
    const id = form.stripe_user_id ?? '';
    if (id === PLATFORM || !(await lookupConnected(work, id))) return failed(401, 'invalid_client');
    disconnectAccount(work, await findAccount(work, id));
    return { status: 200, body: { stripe_user_id: id } };
  });
