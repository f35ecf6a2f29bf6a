import { inArray, isNotNull } from 'drizzle-orm';
import type Stripe from 'stripe';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { subscriptions } from '~/db/schema/billing';
import { payouts } from '~/db/schema/payouts';
import type { BuyablePlan } from '~/server/limits/plans';
import type { killedShop } from './killed-shop';
import { type Creator, PASSWORD } from './make';
import { GOOD_CARD } from './shop';
import type { seededRandom } from './simulated-year';

/** `maybeKilled`: kills the product during some of its work. `note`: counts an action, or its error. */
export type YearTools = {
  shop: Awaited<ReturnType<typeof killedShop>>;
  random: ReturnType<typeof seededRandom>;
  maybeKilled<T>(work: () => Promise<T>): Promise<T>;
  note(action: string, error?: string): void;
};

const INQUIRY_ANSWERS = ['escalate_inquiry_evidence', 'losing_evidence', 'The customer has listened.'] as const;

/** What happens to a shop during a year besides its buyers: the provider, the banks, the operator and the plan. */
export function yearEvents({ shop, random, maybeKilled, note }: YearTools) {
  const { stripe, call, settle } = shop;

  /** Objects of the provider in the order of their creation. */
  async function objects<T>(kind: string): Promise<T[]> {
    const rows = await stripe.client<{ text: string }[]>`
      select data::text as text from sandbox_stripe.objects where kind = ${kind} order by number`;
    return rows.map(({ text }) => JSON.parse(text) as T);
  }

  /** The provider captures after minutes or a day, settles after days or weeks, and loses and repeats webhooks. */
  async function changeConditions(): Promise<void> {
    stripe.sandbox.setTiming({
      captureSeconds: random.pick([60, 3600, 86_400]),
      settlementDays: random.pick([2, 7, 14]),
    });
    const faults = { lose: random.below(4), duplicates: random.below(2), reorder: random.next() < 0.3 };
    await stripe.sandbox.injectFaults(faults);
  }

  /** From now on, payments are captured at once, and every webhook arrives once. */
  async function restoreConditions(): Promise<void> {
    stripe.sandbox.setTiming({ captureSeconds: 3 });
    await stripe.sandbox.injectFaults({ lose: 0, duplicates: 0, reorder: false });
  }

  /** The operator answers banks, which then decide. Some inquiries become disputes, the others are closed. */
  async function decideDisputes(): Promise<void> {
    for (const { id, status } of await objects<Stripe.Dispute>('dispute')) {
      const isInquiry = status === 'warning_needs_response';
      if ((status !== 'needs_response' && !isInquiry) || random.next() < 0.3) continue;
      const onDispute = random.next() < 0.4 ? 'winning_evidence' : 'losing_evidence';
      const evidence = isInquiry ? random.pick(INQUIRY_ANSWERS) : onDispute;
      await stripe.payments.answerDispute(id, evidence, `answer/${id}/${evidence}`);
      note(isInquiry ? `inquiry: ${evidence}` : evidence);
      await maybeKilled(() => settle({ captures: false }));
    }
  }

  /** The operator refunds payments that banks have reported as fraud, or waits for the dispute. */
  async function answerWarnings(): Promise<void> {
    for (const { id, actionable } of await objects<Stripe.Radar.EarlyFraudWarning>('radar.early_fraud_warning')) {
      if (!actionable || random.next() < 0.3) continue;
      note('refundWarned', (await maybeKilled(() => shop.refundWarned(id))).error);
      await settle({ captures: false });
    }
  }

  /** Subscribers confirm renewals on the provider's page of the invoice, as the email asks them to. */
  async function confirmRenewals(): Promise<void> {
    const asked = await shop.runtime.db
      .select({ url: subscriptions.confirmationUrl })
      .from(subscriptions)
      .where(isNotNull(subscriptions.confirmationUrl))
      .orderBy(subscriptions.id);
    for (const { url } of asked) {
      if (random.next() < 0.3) continue;
      const page = await stripe.fetch(url!, { method: 'POST', redirect: 'manual' });
      const place = page.headers.get('location');
      if (!place?.includes('/authenticate/')) continue;
      const body = new URLSearchParams({ answer: 'yes' });
      await stripe.fetch(place, { method: 'POST', body, redirect: 'manual' });
      note('confirm');
      await maybeKilled(() => settle({ captures: false }));
    }
  }

  /** The creator requests a payout. The operator pays it, declines it, or has the bank return it. */
  async function payOut({ token }: Creator): Promise<void> {
    const { error } = await maybeKilled(() =>
      call(token, 'payouts.request', { currency: 'eur', currentPassword: PASSWORD }),
    );
    note('payout', error);
    const open = await shop.runtime.db
      .select()
      .from(payouts)
      .where(inArray(payouts.status, ['requested', 'approved']))
      .orderBy(payouts.id);
    for (const { publicId } of open) {
      const steps = random.next() < 0.2 ? (['approve', 'pay', 'reverse'] as const) : (['approve', 'pay'] as const);
      for (const step of steps) note(step, (await maybeKilled(() => shop.operate(publicId, step))).error);
    }
  }

  /** A new plan is paid on the provider's page; a change is charged to the same card, or leaves a credit. */
  async function changePlan({ token }: Creator, step: PlanStep): Promise<void> {
    const [action, plan] = step.split(' ') as ['start' | 'change', BuyablePlan] | ['cancel'];
    if (action === 'cancel')
      return note('cancelPlan', (await maybeKilled(() => call(token, 'plans.cancel', { reason: '' }))).error);
    const preview = await call(token, 'plans.preview', { plan });
    if (preview.error) return note('previewPlan', preview.error);
    const { dueMinor, creditMinor, at } = preview.result as { dueMinor: number; creditMinor: number; at: string };
    const [name, input] =
      action === 'start'
        ? ['plans.start', { plan, dueMinor, payWith: 'page' }]
        : ['plans.change', { plan, dueMinor, creditMinor, at }];
    const { result, error } = await maybeKilled(() => call(token, String(name), input));
    note(`${action}Plan`, error);
    if (action === 'change' || error) return;
    await payByForms(stripe.fetch, (result as { url: string }).url, { number: GOOD_CARD, proven: true });
    await settle({ captures: false });
  }

  return {
    objects,
    changeConditions,
    restoreConditions,
    decideDisputes,
    answerWarnings,
    confirmRenewals,
    payOut,
    changePlan,
  };
}

export type PlanStep = `${'start' | 'change'} ${BuyablePlan}` | 'cancel';
