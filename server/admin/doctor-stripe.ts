import type { PaymentsPort } from '../adapters/payments/port';
import type { OwnAccount, WebhookEndpoint } from '../adapters/payments/setup-port';
import { CURRENCIES } from '../base/money';
import { STRIPE_WEBHOOK_PATH } from '../base/public-paths';
import { DAYS, earlier } from '../base/time';
import type { Env } from '../env/read';
import { type Finding, manual, ok, problem, warning } from './finding';

/** What card statements leave for our part of the text: the name of the seller. */
const PREFIX_LENGTH = 10;
/** An older end says nothing about the present setting. */
const RECENT = DAYS(30);
const SETUP = 'run `npm run admin -- stripe setup`';
const MOVED = 'If this one has moved, run setup with `--moved-from {former APP_URL}`';

type Installation = { env: Pick<Env, 'urls' | 'payments'>; now: Date };

export const webhookUrl = (appUrl: string): string => appUrl + STRIPE_WEBHOOK_PATH;

/** Compares the operator's account at Stripe with what we rely on. Only reads (docs/stripe.md explains each check). */
export async function checkStripe(payments: PaymentsPort, { env, now }: Installation): Promise<Finding[]> {
  const [endpoints, account] = await Promise.all([
    payments.setup.listEndpoints({ url: webhookUrl(env.urls.appUrl) }),
    payments.setup.ownAccount(),
  ]);
  return [
    ...checkEndpoints(endpoints.ours, { env, canConnect: payments.canConnect }),
    ...endpoints.unknown.map((id) =>
      warning('webhooks', `${id} has our address but was not made by setup: delete it, or each event arrives twice`),
    ),
    ...endpoints.elsewhere.map(({ id, url }) =>
      manual('webhooks', `${id} is for ${url}: see that this is another installation. ${MOVED}`),
    ),
    ...checkAccount(account),
    ...checkOverdue(account, now),
    ...manualChecks(payments.canConnect),
  ];
}

type Needed = { env: Installation['env']; canConnect: boolean };

function checkEndpoints(endpoints: WebhookEndpoint[], { env, canConnect }: Needed): Finding[] {
  const needed = canConnect ? (['own', 'connected'] as const) : (['own'] as const);
  const found = needed.map((events) => {
    const candidates = endpoints.filter((endpoint) => endpoint.events === events);
    if (candidates.some(({ differs }) => differs.length === 0))
      return ok('webhooks', `events of ${events} accounts arrive`);
    const [differing] = candidates;
    const why = differing ? `${differing.id} differs (${differing.differs.join(', ')})` : 'there is no endpoint';
    return problem('webhooks', `events of ${events} accounts: ${why}: ${SETUP}`);
  });
  const old = endpoints.filter(({ differs }) => differs.includes('version'));
  return [
    ...found,
    ...old.map(({ id }) => warning('webhooks', `${id} has another version: ${SETUP.slice(0, -1)} --remove-old yes\``)),
    ...checkSecrets(env, needed.length),
  ];
}

/** Stripe shows a secret only once, so their number is all that can be compared. */
function checkSecrets({ payments }: Installation['env'], needed: number): Finding[] {
  const known = payments.provider === 'stripe' ? payments.webhookSecrets.length : needed;
  if (known >= needed) return [];
  return [problem('webhooks', `STRIPE_WEBHOOK_SECRETS has ${known} of ${needed} secrets: other events are rejected`)];
}

function checkAccount(account: OwnAccount): Finding[] {
  const { chargesEnabled, payoutsEnabled, missing, country, currency, isLive } = account;
  const where = `${isLive ? 'live' : 'test'} mode, ${country ?? 'no country'}, ${currency?.toUpperCase() ?? 'no currency'}`;
  const lacks = missing.length > 0 ? `: Stripe misses ${missing.join(', ')}` : '';
  return [
    chargesEnabled ? ok('stripe', `the account takes payments (${where})`) : problem('stripe', `no payments${lacks}`),
    payoutsEnabled ? ok('payouts', 'Stripe pays out') : problem('payouts', `Stripe pays nothing out${lacks}`),
    checkSchedule(account),
    checkStatement(account),
    checkCurrencies(account),
    account.isTaxActive
      ? warning('tax', 'Stripe Tax is active, but VAT is ours: leave automatic tax off for Checkout and invoices')
      : ok('tax', 'Stripe Tax is off: VAT is ours'),
  ];
}

function checkSchedule({ payoutInterval: interval }: OwnAccount): Finding {
  if (interval === 'manual')
    return warning('payouts', 'manual: money stays at Stripe, and creators are paid from the bank account');
  return interval === null ? manual('payouts', 'see how often Stripe pays out') : ok('payouts', interval);
}

function checkStatement({ statementPrefix: prefix }: OwnAccount): Finding {
  if (prefix === null)
    return problem('statement', `no shortened descriptor: set one of at most ${PREFIX_LENGTH} characters`);
  return prefix.length > PREFIX_LENGTH
    ? problem('statement', `${prefix} is too long: Stripe cuts the seller's name. At most ${PREFIX_LENGTH} characters`)
    : ok('statement', `${prefix}* NAME OF SELLER`);
}

/** The API does not show our own bank accounts. A currency without a balance may only have had no sales yet. */
function checkCurrencies({ currency, balanceCurrencies: held }: OwnAccount): Finding {
  const others = CURRENCIES.filter((code) => code !== currency && !held.includes(code));
  if (others.length === 0) return ok('currencies', `balances in ${CURRENCIES.join(', ').toUpperCase()}`);
  const names = others.join(', ').toUpperCase();
  return manual('currencies', `no balance in ${names}: add a bank account in it, or Stripe converts these sales`);
}

/** The API does not show the setting, only what it did. */
function checkOverdue({ isUnpaidInUse, lastEndedOverdue }: OwnAccount, now: Date): Finding[] {
  const wrong = 'leave overdue subscriptions past due (Billing → Revenue recovery → Retries)';
  const isEnded = lastEndedOverdue !== null && lastEndedOverdue > earlier(now, RECENT);
  return [
    ...(isUnpaidInUse ? [problem('overdue', `Stripe marks subscriptions unpaid after failed retries: ${wrong}`)] : []),
    ...(isEnded ? [problem('overdue', `Stripe ends subscriptions after failed retries: ${wrong}`)] : []),
    ...(isUnpaidInUse || isEnded ? [] : [manual('overdue', `after all retries fail: ${wrong}`)]),
  ];
}

/** Stripe's API does not show these. */
function manualChecks(canConnect: boolean): Finding[] {
  return [
    manual(
      'emails',
      'Stripe’s emails about receipts, refunds and failed payments are off, those about renewals, cards and trials on',
    ),
    canConnect
      ? manual('connect', 'OAuth for Standard accounts is on, with {APP_URL}/billing/account/connected as its redirect')
      : ok('connect', 'off: STRIPE_CONNECT_CLIENT_ID is not set'),
  ];
}
