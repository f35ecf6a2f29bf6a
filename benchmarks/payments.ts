import Stripe from 'stripe';
import { simulateYear } from '../tests/support/simulated-year';
import { prepareStripe } from './prepare-stripe';
import type { BenchmarkRow } from './table';

const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 100);
const ROUND_MS = 1500;
const ROUNDS = 2;

/** Calls per second in the best of several short rounds, because other load can only lower a figure. */
async function measureRate(call: () => Promise<unknown>, atOnce: number): Promise<number> {
  let best = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const end = Date.now() + ROUND_MS;
    let calls = 0;
    const worker = async () => {
      while (Date.now() < end) {
        await call();
        calls += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    best = Math.max(best, Math.round(calls / (ROUND_MS / 1000)));
  }
  return best;
}

/** SDK calls per second through the sandbox, and a simulated year. */
export async function run(): Promise<BenchmarkRow[]> {
  const environment = await prepareStripe();
  const overHttp = new Stripe('sk_test_x', {
    host: '127.0.0.1',
    port: environment.port,
    protocol: 'http',
    telemetry: false,
  });
  const { id } = await environment.stripe.customers.create({ email: 'a@example.com' });
  const rows: BenchmarkRow[] = [];
  for (const [where, stripe] of [
    ['in-process', environment.stripe],
    ['over HTTP', overHttp],
  ] as const)
    for (const atOnce of [1, 4])
      for (const [what, call] of Object.entries(callsOf(stripe, id)))
        rows.push({ label: `${what}, ${where}, ${atOnce} at a time`, figure: `${await measureRate(call, atOnce)}/s` });
  await environment.close();
  return [...rows, await measureYear()];
}

async function measureYear(): Promise<BenchmarkRow> {
  const environment = await prepareStripe();
  const startedAt = Date.now();
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 200);
  await simulateYear(environment, { count: SUBSCRIPTIONS, seed: 1, calm: true });
  const seconds = (Date.now() - startedAt) / 1000;
  clearInterval(sampling);
  const [totals] = await environment.client<{ invoices: string; events: string }[]>`
    select count(*) filter (where kind = 'invoice') as invoices, count(*) filter (where kind = 'event') as events
    from sandbox_stripe.objects`;
  await environment.close();
  return {
    label: `a year of ${SUBSCRIPTIONS} subscriptions`,
    figure: `${seconds.toFixed(1)} s, ${Math.round(peak / 1e6)} MB`,
    details: `${totals?.invoices} invoices, ${totals?.events} events`,
  };
}

function callsOf(stripe: Stripe, customer: string): Record<string, () => Promise<unknown>> {
  const payment = { amount: 1000, currency: 'eur', payment_method: 'pm_card_visa', confirm: true };
  return {
    read: () => stripe.customers.retrieve(customer),
    write: () => stripe.customers.create({ email: 'b@example.com' }),
    payment: () => stripe.paymentIntents.create(payment),
  };
}
