import type { Subscription } from '~/server/adapters/payments/objects';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { seededInts } from './seeded-ints';
import type { TestStripe } from './stripe-sandbox';

const DAY = 86_400_000;
const PRICES = [199, 499, 999, 1999];

/** Seeded randomness: the same seed gives the same year. */
export function seededRandom(seed: number) {
  const below = seededInts(seed);
  const next = () => below(2 ** 32) / 2 ** 32;
  return { next, below, pick: <T>(choices: readonly T[]): T => choices[below(choices.length)]! };
}
type SeededRandom = ReturnType<typeof seededRandom>;

/** The parts of a sandbox that a simulated year needs, with a settable clock. */
export type YearStripe = Pick<TestStripe, 'stripe' | 'payments' | 'sandbox' | 'clock'>;

type Member = { customer: string; card: string; badCard: string; subscription: string };
export type Year = { members: Member[]; actions: Record<string, number>; refusals: number };

/**
 * Simulates a year of subscriptions on the sandbox's own clock. Each week, some subscribers act (a plan change, a
 * cancellation, a pause, a new card, a refund). `calm`: they only pay.
 */
export async function simulateYear(
  environment: YearStripe,
  { count, seed, calm = false }: { count: number; seed: number; calm?: boolean },
): Promise<Year> {
  const random = seededRandom(seed);
  const year: Year = { members: [], actions: {}, refusals: 0 };
  const coupons = await makeCoupons(environment.payments);
  const start = environment.clock.now.getTime();
  for (let week = 0; week < 52; week += 1) {
    const joining = week < 8 ? Math.ceil(count / 8) : 0;
    for (let i = 0; i < joining && year.members.length < count; i += 1) {
      environment.clock.now = new Date(start + week * 7 * DAY + random.below(7 * 86_400) * 1000);
      year.members.push(await addMember(environment, random, coupons, year.members.length));
    }
    environment.clock.now = new Date(start + (week + 1) * 7 * DAY);
    await environment.sandbox.tick();
    if (!calm)
      for (const member of year.members) if (random.next() < 0.08) await tryAction(environment, random, member, year);
  }
  await environment.sandbox.capture();
  return year;
}

async function makeCoupons(payments: PaymentsPort): Promise<string[]> {
  const half = await payments.createCoupon({ id: 'half', off: { percent: 50 }, length: { months: 3 } }, 'half');
  const flat = await payments.createCoupon(
    { id: 'flat', off: { minor: 100, currency: 'eur' }, length: 'forever' },
    'flat',
  );
  const once = await payments.createCoupon({ id: 'once', off: { percent: 33.33 }, length: 'once' }, 'once');
  return [half.id, flat.id, once.id];
}

async function addMember(
  { stripe, payments }: YearStripe,
  random: SeededRandom,
  coupons: string[],
  number: number,
): Promise<Member> {
  const { id: customer } = await stripe.customers.create({ email: `oyente-${number}@example.com` });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: badCard } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  const yearly = random.next() < 0.15;
  const minor = random.pick(PRICES) * (yearly ? 10 : 1);
  const subscription = await payments.subscribe(
    {
      customer,
      card,
      name: `Plan ${minor}`,
      price: { minor, currency: 'eur' },
      every: yearly ? 'year' : 'month',
      reference: { member: String(number) },
      ...(random.next() < 0.2 && { trialDays: 7 + random.below(14) }),
      ...(random.next() < 0.3 && { coupon: random.pick(coupons) }),
    },
    `join-${number}`,
  );
  return { customer, card, badCard, subscription: subscription.id };
}

const ACTIONS = [
  'plan',
  'year',
  'end',
  'resume',
  'endNow',
  'pause',
  'collect',
  'badCard',
  'goodCard',
  'refund',
  'refundPart',
] as const;

async function tryAction(environment: YearStripe, random: SeededRandom, member: Member, year: Year): Promise<void> {
  const action = random.pick(ACTIONS);
  const subscription = await environment.payments.fetch.subscription(member.subscription);
  const key = `${action}-${year.members.indexOf(member)}-${environment.clock.now.getTime()}`;
  try {
    await runAction(environment, random, { action, subscription, member, key });
    year.actions[action] = (year.actions[action] ?? 0) + 1;
  } catch (error) {
    if (!String(error).includes('payments.')) throw error;
    year.refusals += 1;
  }
}

type MemberAction = { action: (typeof ACTIONS)[number]; subscription: Subscription; member: Member; key: string };

async function runAction(
  { payments, clock }: YearStripe,
  random: SeededRandom,
  { action, subscription, member, key }: MemberAction,
): Promise<unknown> {
  const { id } = subscription;
  const price = { minor: random.pick(PRICES), currency: 'eur' as const };
  switch (action) {
    case 'plan':
      return payments.changeSubscription(id, { price, every: subscription.every, at: clock.now }, key);
    case 'year':
      return payments.changeSubscription(
        id,
        { price: { ...price, minor: price.minor * 10 }, every: 'year', at: clock.now },
        key,
      );
    case 'end':
      return payments.cancel(id, 'at_period_end', key);
    case 'resume':
      return payments.resume(id, key);
    case 'endNow':
      return random.next() < 0.3 ? payments.cancel(id, 'now', key) : null;
    case 'pause':
      return payments.pause(id, new Date(clock.now.getTime() + 45 * DAY), key);
    case 'collect':
      return payments.resumeCollection(id, key);
    case 'badCard':
      return payments.setSubscriptionCard(id, member.badCard, key);
    case 'goodCard':
      return payments.setSubscriptionCard(id, member.card, key);
    default:
      return refundLatest(payments, member, action === 'refund' ? null : { ...price, minor: 100 }, key);
  }
}

async function refundLatest(
  payments: PaymentsPort,
  { customer }: Member,
  amount: { minor: number; currency: 'eur' } | null,
  key: string,
) {
  const [invoice] = await payments.listInvoices(customer, 1);
  return invoice?.payment && invoice.status === 'paid'
    ? payments.refund(invoice.payment, { ...(amount && { amount }), reference: {} }, key)
    : null;
}
