// A process of the product that a test kills. It runs the commands that arrive on stdin, one after the other.
import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { billingHandlers } from '~/jobs/handlers/billing';
import { movingHandlers } from '~/jobs/handlers/moving';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { describeProblem } from '~/server/base/problems';
import { giftTermsShown, termsShown } from '~/server/domain/billing/base/rules';
import type { BuyGift, BuyShow } from '~/server/domain/billing/base/schema';
import { buyShow } from '~/server/domain/billing/checkout/buy-show';
import { lookupOfferFor } from '~/server/domain/billing/checkout/view-offer';
import { buyGift, viewGiftOffer } from '~/server/domain/billing/gifts/buy-gift';
import { refundWarned } from '~/server/domain/billing/payers/warning-answers';
import { receiveEvent } from '~/server/domain/billing/provider-sync/events';
import { approvePayout, markPayoutPaid, reversePayout } from '~/server/domain/payouts/settle-payout';
import { createTurns } from '~/server/flow/paced-turns';
import { sharedPace, stepsFor } from '~/server/flow/shared-pace';
import { systemCtx } from '~/server/runtime/runtime';
import { acting } from './acting';
import { openTestRuntime } from './open-test-runtime';
import { runJobs } from './run-jobs';

export type ChildSetup = {
  url: string;
  dataDir: string;
  sandbox: string;
  secret: string;
  /** The provider's limit. */
  callsPerSecond: number | null;
};
export type Command =
  | { kind: 'call'; token: string | null; path: string; input: unknown }
  /** A buyer buys a show on its page, at the terms that it shows. Without `userId`, the buyer has no account. */
  | { kind: 'buy'; userId: number | null; browserHash: string; input: Omit<BuyShow, 'shown'> }
  /** A buyer buys a gift on its page. */
  | { kind: 'give'; userId: number; input: Omit<BuyGift, 'shown'> }
  /** An operator settles a payout. */
  | { kind: 'operate'; id: string; step: 'approve' | 'pay' | 'reverse' }
  /** An operator refunds a payment that its bank has reported as fraud. */
  | { kind: 'refundWarned'; id: string }
  | { kind: 'event'; body: string; signature: string }
  /** Runs the queued jobs; `schedules` also runs the jobs that schedules enqueue. */
  | { kind: 'jobs'; schedules: boolean };
/** `dies`: the process dies after the work and before the answer. */
export type Numbered = { number: number; now: string; command: Command; dies: boolean };
export type Answer = { number: number; result?: unknown; error?: string };

const setup = JSON.parse(process.argv[2] ?? '') as ChildSetup;
const settings = { STRIPE_SECRET_KEY: 'sk_test_year', STRIPE_WEBHOOK_SECRETS: setup.secret };
const { runtime, clock, client } = await openTestRuntime(setup.url, setup.dataDir, settings);
const pace = setup.callsPerSecond && sharedPace(client, { name: 'stripe', ...stepsFor(setup.callsPerSecond - 1) });
runtime.ports.payments = stripePayments({
  secretKey: settings.STRIPE_SECRET_KEY,
  webhookSecrets: [setup.secret],
  production: false,
  ...(pace && { turns: createTurns(pace, { waiting: 500 }) }),
  fetch: (input, init) => fetch(String(input).replace('https://api.stripe.com', setup.sandbox), init),
});
const worker = { ...runtime, ports: { ...runtime.ports, payments: runtime.ports.payments.inBackground() } };
const { as, ctxOf, visitorCtx } = acting(runtime);
// runs the jobs again that the killed process was running; a worker's heartbeat (jobs/heartbeat.ts) finds them within
// seconds
await runtime.db.execute(sql`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);

type Procedures = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

async function runCommand(command: Command): Promise<unknown> {
  if (command.kind === 'event') return receiveEvent(systemCtx(runtime, 'webhook'), command);
  if (command.kind === 'buy') return buy(command);
  if (command.kind === 'give') return giveGift(command);
  if (command.kind === 'operate') return operate(command);
  if (command.kind === 'refundWarned')
    return refundWarned(systemCtx(runtime, 'operator'), { operator: { name: 'olga' }, id: command.id });
  if (command.kind === 'jobs') return runQueued(command.schedules);
  const api = await as(command.token === null ? null : { token: command.token });
  const [router, name] = command.path.split('.') as [string, string];
  return (api as unknown as Procedures)[router]![name]!(command.input);
}

async function buy({ userId, browserHash, input }: Extract<Command, { kind: 'buy' }>): Promise<unknown> {
  const ctx = userId === null ? visitorCtx() : ctxOf({ id: userId, creatorId: null });
  const offer = await lookupOfferFor(ctx, input, browserHash);
  const shown = offer ? termsShown({ ...offer, currency: offer.record.product.currency }) : '';
  return buyShow(ctx, { ...input, shown }, browserHash);
}

async function giveGift({ userId, input }: Extract<Command, { kind: 'give' }>): Promise<unknown> {
  const ctx = ctxOf({ id: userId, creatorId: null });
  const { prices, currency } = await viewGiftOffer(ctx, input, null);
  return buyGift(ctx, { ...input, shown: giftTermsShown(prices, currency) }, '');
}

async function operate({ id, step }: Extract<Command, { kind: 'operate' }>): Promise<unknown> {
  const ctx = systemCtx(runtime, 'operator');
  const operator = { name: 'olga' };
  if (step === 'approve') return approvePayout(ctx, { operator, id });
  if (step === 'pay') return markPayoutPaid(ctx, { operator, id });
  return reversePayout(ctx, { operator, id, reason: 'The bank returned it' });
}

async function runQueued(schedules: boolean): Promise<void> {
  if (schedules)
    for (const { job, run } of billingHandlers)
      if (Object.keys(job.payload.safeParse({}).data ?? { no: 1 }).length === 0)
        await run({}, systemCtx(worker, job.name));
  for (let found = 1; found > 0; ) {
    found = 0;
    for (const { job, run } of [...billingHandlers, ...movingHandlers]) found += await runJobs(worker, job.name, run);
  }
}

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { number, now, command, dies } = JSON.parse(line) as Numbered;
  clock.now = new Date(now);
  const answer: Answer = await runCommand(command).then(
    (result) => ({ number, result }),
    (error: unknown) => {
      const problem = describeProblem(error);
      return { number, error: problem.unexpected ? `unexpected: ${String(error)}` : problem.code };
    },
  );
  if (dies) process.kill(process.pid, 'SIGKILL');
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
