import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { subscriptions } from '~/db/schema/billing';
import { subscriberMoveLines } from '~/db/schema/moving';
import type { movingShop } from './moving-shop';
import { showItem } from './shop';

type Stage = Awaited<ReturnType<typeof movingShop>>;

/** Subscribers in our account, and their state after the move. */
export function movingPeople({ runtime: { db }, stripe, make, buy, settle }: Stage) {
  async function subscriber({ show }: Awaited<ReturnType<Stage['newCreator']>>) {
    const person = await make.person({ email: `p${Math.random()}@mail.example` });
    await buy(showItem(show, { userId: person.id }));
    await settle();
    return person.id;
  }
  const rowOf = async (userId: number) => {
    const rows = await db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, userId))
      .orderBy(subscriptions.id);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };
  const linesOf = (id: number) =>
    db
      .select()
      .from(subscriberMoveLines)
      .where(eq(subscriberMoveLines.subscriptionId, id))
      .orderBy(subscriberMoveLines.subscriptionId);
  /** The charges to a person, in both accounts. */
  async function charged(account: string, userId: number): Promise<number> {
    const row = await rowOf(userId);
    const [line] = await linesOf(row.id);
    const old = await stripe.paymentIntents.list({ limit: 100 });
    const own = await stripe.paymentIntents.list({ limit: 100 }, { stripeAccount: account });
    const customers = [row.customerId, line?.customerId, (await oldCustomer(line?.fromId)) ?? row.customerId];
    return [...old.data, ...own.data]
      .filter(({ status, customer }) => status === 'succeeded' && customers.includes(String(customer)))
      .reduce((sum, { amount }) => sum + amount, 0);
  }
  const oldCustomer = async (id: string | undefined) =>
    id ? String((await stripe.subscriptions.retrieve(id)).customer) : null;
  return { subscriber, rowOf, linesOf, charged };
}
