import { and, eq, sql } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import { DAYS, earlier } from '../base/time';
import { giveDonation } from '../domain/donations/give-donation';
import { recordDonation } from '../domain/donations/record-donation';
import * as schema from '../domain/donations/schema';
import { updateDonationSettings } from '../domain/donations/settings';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { payOnce } from './checking-out';
import type { DemoPerson } from './demo-types';
import type { DemoPayments } from './paying';

/**
 * A goal, a wall and donations, by the creator's address. Donors without an account have no account in the demo either.
 */
const DONATIONS = {
  'lucia@altavoz.example': {
    settings: {
      donationGoal: '400',
      donationGoalTitle: 'Un micrófono que soporte la brisa',
      showsWall: true,
      thankYouText: 'Gracias de corazón. La próxima postal lleva un poco de tu viento.',
    },
    given: [
      { name: 'Coro del Cabanyal', amount: '60', message: 'Cantamos tus postales en los ensayos.', daysAgo: 44 },
      { name: 'Elena', amount: '25', message: 'Tus postales suenan en mi cocina cada domingo.', daysAgo: 40 },
      { name: 'Radio Malvarrosa', amount: '100', message: '', daysAgo: 23 },
      { name: 'Jon', amount: '10', message: '¡Ánimo con la segunda temporada! 🌊', daysAgo: 12 },
      { name: 'Carmen Ribes', amount: '50', isAnonymous: true, message: 'Para que no pares.', daysAgo: 6 },
    ],
    /** from a donor with an account, who sees and stops it in the feed */
    monthly: { email: 'tom@altavoz.example', name: 'Tom', amount: '5', message: 'Greetings from Leeds!', daysAgo: 3 },
  },
};

/** A goal counts only later donations, so it is older than each donation above. */
const GOAL_DAYS_AGO = 45;

type Gift = { name: string; amount: string; message: string; daysAgo: number; isAnonymous?: boolean };

/**
 * Donates and pays as on the pages, with both clocks set to the day. Without simulated payments there is nothing to
 * show.
 */
export async function seedDonations(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  payments: DemoPayments | null,
): Promise<void> {
  if (!payments) return;
  try {
    for (const person of cast) await giveAll(runtime, { person, cast }, payments);
  } finally {
    await payments.setTime(null);
  }
}

type Receiver = { person: DemoPerson; cast: readonly DemoPerson[] };

async function giveAll(runtime: Runtime, { person, cast }: Receiver, payments: DemoPayments): Promise<void> {
  const demo = DONATIONS[person.email as keyof typeof DONATIONS];
  if (!demo) return;
  const creator = await actAs(runtime, person);
  const { creatorId } = requireCreator(creator);
  const beforeAll = earlier(creator.now(), DAYS(GOAL_DAYS_AGO));
  await updateDonationSettings(
    { ...creator, now: () => beforeAll },
    schema.updateDonationSettings.parse(demo.settings),
  );
  for (const gift of demo.given) {
    const email = `${gift.name.toLowerCase().replaceAll(' ', '.')}@mail.example`;
    const visitor = { ...creator, actor: { type: 'visitor' } as const };
    await donate(visitor, payments, { creatorId, email, every: 'once', ...gift });
  }
  const donor = cast.find(({ email }) => email === demo.monthly.email);
  if (donor) await donate(await actAs(runtime, donor), payments, { creatorId, every: 'month', ...demo.monthly });
}

type Giving = Gift & { creatorId: number; email: string; every: 'once' | 'month' };

/** An earlier start may have made the donation. */
async function donate(
  ctx: Ctx,
  { pay, setTime }: DemoPayments,
  { daysAgo, creatorId, email, ...gift }: Giving,
): Promise<void> {
  const { creatorId: ofCreator, purpose, terms } = checkouts;
  const isIts = sql`${terms}->'donation'->>'name' = ${gift.name}`;
  const isIt = and(eq(ofCreator, creatorId), eq(purpose, 'donation'), isIts);
  const at = earlier(ctx.now(), DAYS(daysAgo));
  await setTime(at);
  const then = { ...ctx, now: () => at };
  const input = schema.giveDonation.parse({ ...gift, creatorId, email, currency: 'eur' });
  const checkoutId = await payOnce(then, { isIt, open: () => giveDonation(then, input, 'demo'), pay });
  await recordDonation(then, { checkoutId });
}
