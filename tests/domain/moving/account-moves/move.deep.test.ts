import { and, eq, isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { creatorPlans } from '~/db/schema/plans';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { DAYS, HOURS, later } from '~/server/base/time';
import { movingShop } from '../../../support/moving-shop';

/** `MOVE_MEMBERS=10000` simulates a large move. */
const MEMBERS = Number(process.env.MOVE_MEMBERS ?? 40);
const DEATHS = Number(process.env.MOVE_DEATHS ?? 10);
const stage = await movingShop();
const { newCreator, customerIn, copied, upload, work, recover, connect, report, runtime, clock, stripe } = stage;
const { db } = runtime;

class Dies extends Error {}
const CALLS = [
  ...(['cancel', 'copyCard', 'listSubscriptions', 'createCustomer', 'importSubscription', 'listCards'] as const),
  'adoptSubscription',
] as const;
let deaths = 0;

/** Fails before or after some calls of the provider, like a killed process; the queue then runs its job again. */
function dying(real: PaymentsPort, every: number): PaymentsPort {
  let left = every;
  const dies = () => {
    left -= 1;
    if (left > 0 || deaths >= DEATHS) return;
    left = every + (deaths % 7);
    deaths += 1;
    throw new Dies();
  };
  const wrap = (port: PaymentsPort): PaymentsPort => ({
    ...port,
    ...Object.fromEntries(
      CALLS.map((name) => [
        name,
        async (...args: never[]) => {
          dies();
          const result = await (port[name] as (...args: never[]) => Promise<unknown>)(...args);
          dies();
          return result;
        },
      ]),
    ),
    on: (account) => wrap(port.on(account)),
  });
  return wrap(real);
}

async function workUntilDone(isDone: () => Promise<boolean>): Promise<void> {
  const real = runtime.ports.payments;
  runtime.ports.payments = dying(real, Math.max(3, Math.floor((MEMBERS * 4) / DEATHS)));
  for (let round = 0; round < 10 * DEATHS && !(await isDone()); round += 1) {
    await work().catch((error) => {
      if (!(error instanceof Dies)) throw error;
    });
    if (!(await isDone())) await recover();
  }
  runtime.ports.payments = real;
}

type Member = { email: string; customer: string; minor: number; renewsAt: Date };

test(
  'members move in and out: none is charged twice, none is lost, dates and prices stay',
  async () => {
    const began = performance.now();
    const mover = await newCreator();
    const plan = { creatorId: mover.creator.creatorId, plan: 'ULTRA' } as const;
    await db.insert(creatorPlans).values(plan).onConflictDoUpdate({ target: creatorPlans.creatorId, set: plan });
    const start = clock.now;
    const members: Member[] = [];
    for (let from = 0; from < MEMBERS; from += 20)
      members.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(20, MEMBERS - from) }, async (_, at) => {
            const number = from + at;
            const email = `member${number}@move.example`;
            const renewsAt = new Date(
              Math.floor(later(start, DAYS(6 + (number % 20)) + HOURS(number % 24)).getTime() / 1000) * 1000,
            );
            return { email, customer: await customerIn(email), minor: 199 + (number % 900), renewsAt };
          }),
        )),
      );
    await copied(
      mover.creator.creatorId,
      members.map(({ customer }) => customer),
    );
    const lines = members.map(({ email, customer, minor, renewsAt }) =>
      [email, 'Member', customer, '', (minor / 100).toFixed(2), 'eur', 'month', renewsAt.toISOString(), ''].join(','),
    );

    const id = await upload(mover, lines);
    expect((await report(mover)).counts).toEqual({ recreate: MEMBERS });
    await mover.creator.api.subscriberImports.confirm({ id, stopped: true, welcome: true });
    await workUntilDone(async () => (await stage.statusOf(id)) === 'done');
    await stage.settle();
    const movedIn = await db.$count(subscriptions, and(isNull(subscriptions.endedAt), isNull(subscriptions.account)));
    const welcomed = await db.$count(outbox, eq(outbox.topic, 'subscriber_welcome'));
    const inSeconds = (performance.now() - began) / 1000;

    clock.now = later(start, DAYS(3));
    const account = await connect(mover);
    await mover.creator.api.subscriberMoves.start();
    const isMoved = async () => (await mover.creator.api.subscriberMoves.overview()).latest?.status === 'done';
    await workUntilDone(isMoved);
    await stage.settle();
    const movedOut = await db.$count(
      subscriptions,
      and(isNull(subscriptions.endedAt), eq(subscriptions.account, account)),
    );
    expect(await db.$count(sales), 'no subscriber was charged before the renewal').toBe(0);

    // each subscriber renews once, and none twice
    for (let day = 4; day <= 27; day += 1) {
      clock.now = later(start, DAYS(day));
      await stage.settle();
    }

    const rows = await db
      .select({ email: users.email, row: subscriptions, endsAt: grants.endsAt })
      .from(subscriptions)
      .innerJoin(users, eq(users.id, subscriptions.userId))
      .innerJoin(grants, eq(grants.userId, users.id))
      .orderBy(subscriptions.id);
    const byEmail = new Map(rows.map((row) => [row.email, row]));
    const paid = await stripe.paymentIntents.list({ limit: 1 });
    const found = { lost: 0, wrongDate: 0, wrongPrice: 0, doubled: 0, uncharged: 0, withoutSale: 0, withoutAccess: 0 };
    for (const { email, minor, renewsAt } of members) {
      const member = byEmail.get(email);
      if (!member || member.row.endedAt) {
        found.lost += 1;
        continue;
      }
      const own = await db.select().from(sales).where(eq(sales.userId, member.row.userId)).orderBy(sales.id);
      const { data } = await stripe.paymentIntents.list(
        { customer: member.row.customerId },
        { stripeAccount: account },
      );
      const charged = data.filter(({ status }) => status === 'succeeded');
      if (own.length > 1 || charged.length > 1) found.doubled += 1;
      if (charged.length === 0) found.uncharged += 1;
      if (own.length === 0) found.withoutSale += 1;
      if (own.some(({ amountMinor }) => amountMinor !== minor) || member.row.priceMinor !== minor)
        found.wrongPrice += 1;
      if (member.row.periodStart.getTime() !== renewsAt.getTime()) found.wrongDate += 1;
      if (!member.endsAt || member.endsAt < clock.now) found.withoutAccess += 1;
    }
    console.table({
      members: MEMBERS,
      'moved in': movedIn,
      'welcome emails': welcomed,
      'moved out': movedOut,
      deaths,
      'charged in our account': paid.data.length,
      ...found,
      'seconds, in': Math.round(inSeconds),
      'seconds, all': Math.round((performance.now() - began) / 1000),
    });
    expect({ movedIn, welcomed, movedOut }).toEqual({ movedIn: MEMBERS, welcomed: MEMBERS, movedOut: MEMBERS });
    expect(paid.data).toHaveLength(0);
    expect(found).toEqual({
      lost: 0,
      wrongDate: 0,
      wrongPrice: 0,
      doubled: 0,
      uncharged: 0,
      withoutSale: 0,
      withoutAccess: 0,
    });
  },
  6 * 3_600_000,
);
