import { payoutPapers, payouts } from '~/db/schema/payouts';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';
import { consoleRows } from './console-rows';

type Stage = { runtime: Runtime; owner: { id: number; creatorId: number } };
type Rows = Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;

/** The rows of the authorization matrix about money owed to creators. */
export function payoutRows({ runtime: { db, now }, owner: { id: requestedBy, creatorId } }: Stage) {
  const month = { month: '2026-03', currency: 'eur' };
  let count = 0;
  const paid = async () => {
    count += 1;
    const facts = {
      creatorId,
      currency: 'usd' as const,
      amountMinor: 60_00,
      holder: 'L',
      requestedAt: now(),
      requestedBy,
    };
    const to = { method: 'paypal' as const, destination: 'l@mail.example', month: `20${10 + count}-01` };
    const [row] = await db
      .insert(payouts)
      .values({ ...facts, ...to, status: 'paid' })
      .returning();
    const paper = { creatorId, payoutId: row!.id, kind: 'invoice' as const, number: count, issuedAt: now() };
    await db.insert(payoutPapers).values({ ...paper, facts: {} as never });
    return { id: row!.publicId, kind: 'invoice' };
  };
  return {
    ...consoleRows,
    'payouts.list': [['money', () => ({ page: 1 })]],
    'payouts.paper': [['ownMoney', paid]],
    'payouts.statement': [['money', () => month]],
    'payouts.exportStatement': [['money', () => month]],
    // no connection was started, and no account is connected
    'sellerAccount.finish': [['heads', () => ({ state: 'unknown', code: 'unknown' })]],
  } satisfies Rows;
}

export const payoutRestRows = {
  'GET products-payout-amount/': [['creators']],
  'GET request-payout/': [['creators', () => ({})]],
} satisfies Rows;
