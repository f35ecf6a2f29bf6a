import { notInArray } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { DAYS, earlier } from '../base/time';
import { archiveProduct } from '../domain/products/archive-product';
import { learnWords } from '../domain/products/correct-words';
import { refreshPopularity } from '../domain/products/discover-products';
import type { Lazy } from '../flow/open-once';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import type { Zone } from '../sandbox/dns/zone';
import type { SpotifySandbox } from '../sandbox/spotify/sandbox';
import { actAs } from './acting';
import {
  answerStart,
  claimPage,
  ensureProduct,
  fillProfile,
  followShows,
  forgetChoices,
  register,
  updatePage,
  verify,
} from './actions';
import { seedAffiliates } from './affiliates';
import { seedAutomations } from './automations';
import { CAST } from './cast';
import { dateBuyers, seedContacts } from './contacts';
import { seedCorrections } from './corrections';
import { seedCoupons } from './coupons';
import { seedCreatorBackup } from './creator-backup';
import type { DemoPage, DemoPerson, DemoProduct } from './demo-types';
import { seedDevelopers } from './developers';
import { distribute, fillPage } from './distribution';
import { seedDonations } from './donations';
import { ensureEpisode, tuneOf } from './episodes';
import { seedFeatured } from './featured';
import { seedGifts } from './gifts';
import { seedHeardMinutes } from './heard-minutes';
import { seedImportedHistory } from './imported-history';
import { seedImport, seedRedirect } from './importing';
import { seedInsertions } from './insertions';
import { seedNewsletter } from './newsletters';
import { seedOperators } from './operators';
import { seedOwnAccounts } from './own-account';
import type { DemoPayments } from './paying';
import { seedPayouts } from './payouts';
import { seedPlaces } from './places';
import { seedPlans } from './plans';
import { seedDownloads, seedPlays } from './plays';
import { seedPositions } from './positions';
import { PROFILES } from './profiles';
import { seedRecommendations } from './recommendations';
import { seedReports } from './reports';
import { seedSales } from './sales';
import { seedSendingDomain } from './sending-domain';
import { seedSharedFeed } from './sharing';
import { seedSoundbites } from './soundbites';
import { seedSpotify } from './spotify';
import { seedStatus } from './status';
import { type OnProgress, runSteps, type Step, stateOfDemo } from './steps';
import { seedSubscriberList } from './subscriber-lists';
import { seedTeams } from './team';
import { seedTranscriptions } from './transcriptions';
import { type Compose, keepTunes, synthesizeTune } from './tunes';
import { seedWebhooks } from './webhooks';

type DemoOptions = {
  /** The sandbox; null leaves out everything that must be paid. */
  payments?: DemoPayments | null;
  compose?: Compose;
  /** The records of the local name server; null leaves out what needs them. */
  zone?: Lazy<Zone> | null;
  /** The local Spotify; null leaves out what needs it. */
  spotify?: Lazy<SpotifySandbox> | null;
  onProgress?: OnProgress;
};
type Demo = {
  runtime: Runtime;
  cast: readonly DemoPerson[];
  payments: DemoPayments | null;
  compose: Compose;
  zone: Lazy<Zone> | null;
  spotify: Lazy<SpotifySandbox> | null;
};
type Creator = DemoPerson & { creator: DemoPage };

/** Whether a part of the demo is missing. It is never created in a database that already has other accounts. */
export async function needsDemo({ db }: Pick<Runtime, 'db'>, cast = CAST): Promise<boolean> {
  const state = await stateOfDemo(db);
  if (state !== 'none') return state === 'begun';
  const isOther = notInArray(
    users.email,
    cast.map(({ email }) => email),
  );
  return (await db.$count(users, isOther)) === 0;
}

/**
 * Creates the demo data once per database. Each step is recorded and finds the rows that it has created, so the next
 * start continues where a killed one stopped. @returns whether anything was created
 */
export async function seedDemo(given: Runtime, cast = CAST, options: DemoOptions = {}): Promise<boolean> {
  if (!(await needsDemo(given, cast))) return false;
  const { payments = null, compose = synthesizeTune, zone = null, spotify = null, onProgress = () => {} } = options;
  // its hundred jobs would delay people's first uploads
  const runtime = { ...given, queue: given.queue.inBackground() };
  const steps = stepsOf({ runtime, cast, payments, zone, spotify, compose: keepTunes(compose) });
  await runSteps(runtime, steps, onProgress);
  return true;
}

function stepsOf(demo: Demo): Step[] {
  const { cast } = demo;
  return [
    ...cast.flatMap((person) => personSteps(demo, person)),
    // shows get followers and subscribers only after all accounts exist
    ...cast.flatMap((person) =>
      person.products.flatMap((product) => episodeSteps(demo, { person, product }, { areAnnounced: true })),
    ),
    ...Object.entries(laterSteps(demo)).map(([name, run]) => ({ name, run })),
  ];
}

function laterSteps({ runtime, cast, payments, compose, zone, spotify }: Demo): Record<string, Step['run']> {
  const emails = cast.map(({ email }) => email);
  return {
    contacts: () => seedContacts(runtime, cast),
    domain: () => seedSendingDomain(runtime, cast, zone),
    newsletter: () => seedNewsletter(runtime, cast),
    automations: () => seedAutomations(runtime, cast),
    teams: () => seedTeams(runtime, cast),
    coupons: () => seedCoupons(runtime, cast),
    donations: () => seedDonations(runtime, cast, payments),
    affiliates: () => seedAffiliates(runtime, cast),
    plans: () => seedPlans(runtime, cast, payments),
    transcriptions: () => seedTranscriptions(runtime, cast),
    soundbites: () => seedSoundbites(runtime, cast),
    recommendations: () => seedRecommendations(runtime, cast),
    sales: () => seedSales(runtime, cast, payments),
    accounts: () => seedOwnAccounts(runtime, cast, payments),
    gifts: () => seedGifts(runtime, cast, payments),
    spotify: () => seedSpotify(runtime, cast, spotify),
    payouts: async () => payments && seedPayouts(runtime, cast),
    import: () => seedImport(runtime, cast, compose),
    redirect: () => seedRedirect(runtime, cast),
    subscribers: () => seedSubscriberList(runtime, cast, payments),
    sharing: () => seedSharedFeed(runtime, cast),
    buyers: () => dateBuyers(runtime),
    positions: () => seedPositions(runtime, cast),
    plays: () => seedPlays(runtime.db, emails, runtime.now()),
    downloads: () => seedDownloads(runtime.db, cast, runtime.now()),
    heard: () => seedHeardMinutes(runtime.db, emails, runtime.now()),
    corrections: () => seedCorrections(runtime.db, cast, runtime.now()),
    history: () => seedImportedHistory(runtime, cast),
    insertions: () => seedInsertions(runtime, cast, compose),
    places: () => seedPlaces(runtime, cast),
    archive: () => seedCreatorBackup(runtime, cast),
    developers: () => seedDevelopers(runtime, cast),
    webhooks: () => seedWebhooks(runtime, cast),
    operators: () => seedOperators(runtime, cast),
    reports: () => seedReports(runtime, cast),
    status: () => seedStatus(runtime),
    featured: () => seedFeatured(runtime),
    popularity: () => refreshPopularity(runtime),
    words: () => learnAllWords(runtime),
  };
}

async function learnAllWords(runtime: Runtime): Promise<void> {
  while ((await learnWords(runtime)) > 0);
}

function personSteps(demo: Demo, person: DemoPerson): Step[] {
  const { runtime } = demo;
  const { email, creator } = person;
  return [
    { name: `account ${email}`, run: () => openAccount(runtime, person) },
    ...(creator ? [{ name: `page ${email}`, run: () => openPage(runtime, { ...person, creator }) }] : []),
    ...person.products.flatMap((product) => [
      ...episodeSteps(demo, { person, product }, { areAnnounced: false }),
      { name: `show ${product.slug}`, run: async () => completeShow(await actAs(runtime, person), product) },
    ]),
    { name: `start ${email}`, run: async () => answerStart(await actAs(runtime, person), person) },
  ];
}

async function openAccount(runtime: Runtime, person: DemoPerson): Promise<void> {
  await register(await actAs(runtime, person), person);
  const user = await actAs(runtime, person);
  await verify(user, person);
  const profile = PROFILES[person.email];
  if (profile) await fillProfile(user, person.name, profile);
  if (person.isImported) await forgetChoices(user, person);
  await followShows(user, person);
}

async function openPage(runtime: Runtime, person: Creator): Promise<void> {
  const claimedAt = earlier(runtime.now(), DAYS(person.claimedDaysAgo ?? 0));
  await claimPage(await actAs(runtime, person, claimedAt), person.creator);
  const creator = await actAs(runtime, person);
  await updatePage(creator, person.creator);
  await fillPage(creator, person);
}

async function completeShow(ctx: Ctx, product: DemoProduct): Promise<void> {
  const id = await ensureProduct(ctx, product);
  await distribute(ctx, { ...product, id });
  if (product.isArchived) await archiveProduct(ctx, { id, kind: product.kind });
}

type Show = { person: DemoPerson; product: DemoProduct };

/** A show is created with its first episode. */
function episodeSteps({ runtime, compose }: Demo, { person, product }: Show, which: { areAnnounced: boolean }): Step[] {
  return product.episodes
    .filter(({ isAnnounced = false }) => isAnnounced === which.areAnnounced)
    .map((episode) => ({
      name: `episode ${product.slug}/${episode.name}`,
      prepare: () => void tuneOf({ product, episode, compose }).catch(() => {}),
      run: async () => {
        const ctx = await actAs(runtime, person);
        const productId = await ensureProduct(ctx, product);
        await ensureEpisode(ctx, { product, productId, episode, compose });
      },
    }));
}
