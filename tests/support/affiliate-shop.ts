import { and, eq, like } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { affiliateLinks } from '~/db/schema/affiliates';
import { sales } from '~/db/schema/billing';
import { ledgerEntries } from '~/db/schema/ledger';
import { joinProgramme } from '~/server/domain/affiliates/join-programme';
import { noteReferral } from '~/server/domain/affiliates/note-referral';
import { settleShare } from '~/server/domain/affiliates/settle-share';
import { balancesOf } from '~/server/domain/payouts/queries';
import type { BuyablePlan } from '~/server/limits/plans';
import { settleAffiliate } from '~/server/queue/jobs/affiliates';
import type { Creator } from './make';
import { runJobs } from './run-jobs';
import { GOOD_CARD, type shop } from './shop';

type Shop = Pick<Awaited<ReturnType<typeof shop>>, 'runtime' | 'ctx' | 'ctxOf' | 'make' | 'fetch' | 'settle'>;

/** A shop whose creators come by links of affiliates and pay for plans. */
export function affiliateShop({ runtime, ctx, ctxOf, make, fetch, settle }: Shop) {
  const { db } = runtime;

  /** An affiliate, and a creator who came by the link. */
  async function pair() {
    const [affiliate, brought] = [await make.creator(), await make.creator()];
    await joinProgramme(ctxOf(affiliate));
    const [link] = await db.select().from(affiliateLinks).where(eq(affiliateLinks.creatorId, affiliate.creatorId));
    await noteReferral(ctx, { userId: brought.id, code: link!.code! });
    return { affiliate, brought, link: link! };
  }

  /** Also runs the jobs that book shares. */
  async function settleAll(): Promise<void> {
    await settle();
    while ((await runJobs(runtime, settleAffiliate.name, (payload, of) => settleShare(of, payload))) > 0);
  }

  async function start(owner: Creator, plan: BuyablePlan, number = GOOD_CARD): Promise<void> {
    const { dueMinor } = await owner.api.plans.preview({ plan });
    const { url } = await owner.api.plans.start({ plan, dueMinor, payWith: 'page' });
    await payByForms(fetch, url!, { number, proven: true });
    await settleAll();
  }

  const salesOf = ({ creatorId }: Creator) =>
    db
      .select()
      .from(sales)
      .where(and(eq(sales.creatorId, creatorId), eq(sales.purpose, 'plan')))
      .orderBy(sales.paidAt, sales.id);

  /** A pair whose creator has paid for a plan. */
  async function paid(number?: string, plan: BuyablePlan = 'PRO') {
    const both = await pair();
    await start(both.brought, plan, number);
    const [sale] = await salesOf(both.brought);
    return { ...both, sale: sale! };
  }

  const owedTo = async ({ creatorId }: Creator) => {
    const [balance] = await balancesOf(ctx, creatorId);
    return balance ? balance.availableMinor + balance.pendingMinor : 0;
  };
  const entriesOf = ({ creatorId }: Creator) =>
    db
      .select({ kind: ledgerEntries.kind, key: ledgerEntries.key, saleId: ledgerEntries.saleId })
      .from(ledgerEntries)
      .where(and(eq(ledgerEntries.creatorId, creatorId), like(ledgerEntries.kind, 'affiliate%')))
      .orderBy(ledgerEntries.id);
  const kindsOf = async (person: Creator) => (await entriesOf(person)).map(({ kind }) => kind);

  return { pair, paid, start, settleAll, salesOf, owedTo, entriesOf, kindsOf };
}
