import { eq } from 'drizzle-orm';
import { payouts } from '~/db/schema/payouts';
import { DAYS, earlier, later, MINUTES } from '../base/time';
import { requestPayout } from '../domain/payouts/request-payout';
import { approvePayout, markPayoutPaid } from '../domain/payouts/settle-payout';
import { requireCreator } from '../policy/actor';
import { reconcileBooks } from '../queue/jobs/billing';
import { transact } from '../runtime/ctx';
import { type Runtime, systemCtx } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

const CREATOR = 'lucia@altavoz.example';
const operator = { name: 'demo' };
/** Always in an earlier month, so that another payout can be requested now. */
const REQUESTED_DAYS_AGO = 34;

/** A paid payout, with its papers, and a first comparison of the books. An earlier start may have created them. */
export async function seedPayouts(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === CREATOR);
  if (!person) return;
  const daysAgo = (days: number) => earlier(runtime.now(), DAYS(days));
  const creator = await actAs(runtime, person, daysAgo(REQUESTED_DAYS_AGO));
  const isIts = eq(payouts.creatorId, requireCreator(creator).creatorId);
  if ((await runtime.db.$count(payouts, isIts)) === 0) await requestPayout(creator, { currency: 'eur' });
  const [payout] = await runtime.db.select().from(payouts).where(isIts).orderBy(payouts.createdAt);
  if (!payout) return;
  const { publicId: id, status } = payout;
  const system = systemCtx(runtime, 'demo');
  if (status === 'requested')
    await approvePayout({ ...system, now: () => daysAgo(REQUESTED_DAYS_AGO - 1) }, { operator, id });
  if (status !== 'paid')
    await markPayoutPaid({ ...system, now: () => daysAgo(REQUESTED_DAYS_AGO - 2) }, { operator, id });
  // by then, jobs have handled the events of the demo's payments
  const at = later(runtime.now(), MINUTES(3));
  await transact(system, (tx) => tx.jobs.enqueue(reconcileBooks, {}, { at }));
}
