import { eq, sql } from 'drizzle-orm';
import { onboardAccount } from 'stripe-sandbox/testing/onboard-account';
import { subscriberImports } from '~/db/schema/moving';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import { runMove } from '~/server/domain/moving/account-moves/move-subscriptions';
import { claimCopiedCustomers } from '~/server/domain/moving/subscriber-imports/copied-customers';
import { runSubscriberImport } from '~/server/domain/moving/subscriber-imports/run-import';
import { importSubscribers, moveSubscribers } from '~/server/queue/jobs/moving';
import { runJobs } from './run-jobs';
import { shop } from './shop';

export const COLUMNS = 'email,name,customer_id,subscription_id,price,currency,interval,current_period_end,feed_url';

/** A shop with a creator who moves, and lists of subscribers who pay elsewhere. */
export async function movingShop() {
  const stage = await shop();
  const { make, runtime, stripe, ctx } = stage;

  async function newCreator() {
    const creator = await make.creator({ name: 'Julia' });
    const show = await make.product(creator, { name: 'Ondas', priceMinor: 499, currency: 'eur' });
    return { creator, show, ref: { id: show.id, kind: 'podcast' as const } };
  }
  type Mover = Awaited<ReturnType<typeof newCreator>>;

  /** A customer with a card, in our account or a connected one. */
  async function customerIn(email: string, { account, card = true }: { account?: string; card?: boolean } = {}) {
    const options = account ? { stripeAccount: account } : {};
    const { id } = await stripe.customers.create({ email, name: email.split('@')[0] }, options);
    if (card) {
      const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer: id }, options);
      await stripe.customers.update(id, { invoice_settings: { default_payment_method: method } }, options);
    }
    return id;
  }
  const copied = (creatorId: number, customers: string[]) => claimCopiedCustomers(ctx, { creatorId, customers });

  /** Uploads a list, and runs the dry run. */
  async function upload({ creator, ref }: Mover, lines: string[], columns = COLUMNS) {
    const list = Buffer.from(`${[columns, ...lines].join('\n')}\n`);
    const subscribersKey = await make.upload(creator, 'subscribers', list);
    const { id } = await creator.api.subscriberImports.request({ ...ref, subscribersKey });
    await work();
    return id;
  }
  async function work(): Promise<void> {
    while ((await runJobs(runtime, importSubscribers.name, (payload, ctx) => runSubscriberImport(ctx, payload))) > 0);
    // a delayed job runs at once here, because the queue has another clock
    for (let round = 0; round < 20; round += 1)
      await runJobs(runtime, moveSubscribers.name, (payload, ctx) => runMove(ctx, payload));
  }
  /** Runs the jobs again that a killed process was running. */
  async function recover(): Promise<void> {
    await runtime.db.execute(
      sql`update pgboss.job set state = 'retry', start_after = now() where state in ('active', 'created', 'retry')`,
    );
  }
  /** The creator's own account, which accepts payments. */
  async function connect({ creator }: Mover): Promise<string> {
    const account = await onboardAccount(stage);
    const owned = { creatorId: creator.creatorId, connectedBy: creator.id, accountId: account };
    const state = { status: 'active', chargesEnabled: true, payoutsEnabled: true } as const;
    const times = { connectedAt: runtime.now(), syncedAt: runtime.now() };
    await runtime.db.insert(sellerAccounts).values({ ...owned, ...state, ...times });
    return account;
  }
  const statusOf = async (id: number) => {
    const [row] = await runtime.db.select().from(subscriberImports).where(eq(subscriberImports.id, id));
    return row!.status;
  };
  /** Outcomes with their numbers of lines: `adopt: 2`, `ended: 1`. */
  async function report({ creator, ref }: Mover) {
    const found = await creator.api.subscriberImports.latest(ref);
    const counts = found!.outcomes.map(({ kind, reason, lines }) => [reason ?? kind, lines] as const);
    return { ...found!, counts: Object.fromEntries(counts) };
  }
  return { ...stage, newCreator, customerIn, copied, upload, work, connect, recover, statusOf, report };
}
