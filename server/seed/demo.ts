import { eq, notInArray } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { milestones } from '~/db/schema/operations';
import { archiveProduct } from '../domain/products/archiving';
import { learnWords } from '../domain/products/correcting';
import { refreshPopularity } from '../domain/products/discovering';
import type { Runtime } from '../runtime';
import { DAYS, earlier } from '../time';
import { actAs } from './acting';
import {
  answerStart,
  claimPage,
  ensureEpisode,
  ensureProduct,
  fillProfile,
  followShows,
  forgetChoices,
  register,
  updatePage,
  verify,
} from './actions';
import { seedArchive } from './archives';
import { CAST } from './cast';
import { seedCoupons } from './coupons';
import type { DemoPerson } from './demo-types';
import { distribute, fillPage } from './distribution';
import { seedDonations } from './donations';
import { seedGifts } from './gifts';
import { seedImports } from './importing';
import { seedOperators } from './operators';
import { seedOwnAccounts } from './own-account';
import type { DemoPayments } from './paying';
import { seedPayouts } from './payouts';
import { seedPlans } from './plans';
import { seedDownloads, seedPlays } from './plays';
import { PROFILES } from './profiles';
import { seedReports } from './reports';
import { seedSales } from './sales';
import { seedSharedFeed } from './sharing';
import { seedSubscriberList } from './subscriber-lists';
import { seedTeams } from './team';

const MILESTONE = 'demo';

/**
 * Creates the demo data once per database, and never in one that already has other accounts. Each step skips what
 * exists, so a start that was killed midway continues there the next time.
 * @param payments the sandbox; null leaves out what must be paid
 * @returns whether anything was created
 */
export async function seedDemo(
  given: Runtime,
  cast: readonly DemoPerson[] = CAST,
  payments: DemoPayments | null = null,
): Promise<boolean> {
  // its hundred jobs would keep the first uploads of people waiting
  const runtime = { ...given, queue: given.queue.inBackground() };
  const { db } = runtime;
  const [done] = await db.select().from(milestones).where(eq(milestones.name, MILESTONE));
  if (done) return false;
  const emails = cast.map(({ email }) => email);
  const [other] = await db.select({ id: users.id }).from(users).where(notInArray(users.email, emails)).limit(1);
  if (other) return false;
  runtime.log.info({}, 'creating the demo data');
  for (const person of cast) await seedPerson(runtime, person);
  for (const person of cast) await announceEpisodes(runtime, person);
  await seedTeams(runtime, cast);
  await seedCoupons(runtime, cast);
  const pay = payments?.pay ?? null;
  await seedDonations(runtime, cast, payments);
  await seedPlans(runtime, cast, pay);
  await seedSales(runtime, cast, payments);
  await seedOwnAccounts(runtime, cast, payments);
  await seedGifts(runtime, cast, payments);
  if (payments) await seedPayouts(runtime, cast);
  await seedImports(runtime, cast);
  await seedSubscriberList(runtime, cast, payments);
  await seedSharedFeed(runtime, cast);
  await seedPlays(db, emails, runtime.now());
  await seedDownloads(db, cast, runtime.now());
  await seedArchive(runtime, cast);
  await seedOperators(runtime, cast);
  await seedReports(runtime, cast);
  await refreshPopularity(runtime);
  while ((await learnWords(runtime)) > 0);
  await db.insert(milestones).values({ name: MILESTONE }).onConflictDoNothing();
  return true;
}

async function seedPerson(runtime: Runtime, person: DemoPerson): Promise<void> {
  await register(await actAs(runtime, person), person);
  const user = await actAs(runtime, person);
  await verify(user, person);
  const profile = PROFILES[person.email];
  if (profile) await fillProfile(user, person.name, profile);
  if (person.isImported) await forgetChoices(user, person);
  await followShows(user, person);
  if (!person.creator) return answerStart(user, person);
  const claimedAt = earlier(runtime.now(), DAYS(person.claimedDaysAgo ?? 0));
  await claimPage({ ...user, now: () => claimedAt }, person.creator);
  const creator = await actAs(runtime, person);
  await updatePage(creator, person.creator);
  await fillPage(creator, person);
  for (const product of person.products) {
    const id = await ensureProduct(creator, product);
    for (const episode of product.episodes.filter(({ isAnnounced }) => !isAnnounced))
      await ensureEpisode(creator, { ...product, id }, episode);
    await distribute(creator, { ...product, id });
    if (product.isArchived) await archiveProduct(creator, { id, kind: product.kind });
  }
  await answerStart(creator, person);
}

/** The shows have followers and subscribers only after everybody has an account. */
async function announceEpisodes(runtime: Runtime, person: DemoPerson): Promise<void> {
  const creator = await actAs(runtime, person);
  for (const product of person.products) {
    const announced = product.episodes.filter(({ isAnnounced }) => isAnnounced);
    if (announced.length === 0) continue;
    const id = await ensureProduct(creator, product);
    for (const episode of announced) await ensureEpisode(creator, { ...product, id }, episode);
  }
}
