import { eq } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { DAYS, earlier, HOURS, later } from '~/server/base/time';
import { verifyEmail } from '~/server/domain/accounts/logins/verify-email';
import { deliverEmail } from '~/server/domain/notifications/deliver-email';
import { acting } from './acting';
import { type Creator, makers, PASSWORD, type Person } from './make';
import { BASE_TIME, openTestRuntime } from './open-test-runtime';
import { passwordHashOf } from './password-hash';
import { checkNewAudio, runJobs } from './run-jobs';

export type CastMember = Omit<Person, 'token' | 'api'>;
export type CastCreator = Omit<Creator, 'token' | 'api'>;
type Audible = { public: number; trailer: number; private: number };

/** The facts about the cast that tests need: its people, and the ids of its rows. */
export type CastIndex = {
  lucia: CastCreator;
  ada: CastCreator;
  tom: CastMember;
  podcast: number;
  series: number;
  paidPodcast: number;
  episodes: { podcast: Audible & { scheduled: number; onHold: number }; series: Audible; paidPodcast: Audible };
};

/** Fills a migrated database and a data directory with the cast, through the domain. */
export async function buildCast(url: string, dataDir: string): Promise<CastIndex> {
  const opened = await openTestRuntime(url, dataDir);
  const index = await createCast(opened);
  await opened.close();
  return index;
}

type Opened = Awaited<ReturnType<typeof openTestRuntime>>;
type Stage = Opened & { make: ReturnType<typeof makers> };

async function createCast(opened: Opened): Promise<CastIndex> {
  const { runtime, clock } = opened;
  const passwordHash = await passwordHashOf(PASSWORD);
  const stage = { ...opened, make: makers(runtime, { passwordHash, cover: null }) };
  const { make } = stage;
  clock.now = earlier(BASE_TIME, DAYS(1));
  const lucia = await make.creator({ name: 'Lucía', email: 'lucia@mail.example', domain: 'lucia' });
  const ada = await make.creator({ name: 'Ada', email: 'ada@mail.example', domain: 'ada', country: 'US' });
  const tom = await make.person({ name: 'Tom', email: 'tom@mail.example' });
  await verify(stage, lucia);
  const [podcast, series, paidPodcast] = [
    await lucia.api.products.create(await make.productInput(lucia, { name: 'Olas' })),
    await lucia.api.products.create(await make.productInput(lucia, { name: 'Bosque', kind: 'audio_series' })),
    await lucia.api.products.create(await make.productInput(lucia, { name: 'Noches' })),
  ];
  const onPodcast = await publishEach(stage, lucia, podcast);
  const scheduled = await make.draft(lucia, podcast, { name: 'Programado', releaseDate: later(BASE_TIME, DAYS(1)) });
  const held = await make.draft(lucia, podcast, { name: 'En pausa' });
  await checkNewAudio(runtime);
  await lucia.api.episodes.hold({ id: held.id });
  const inSeries = await publishEach(stage, lucia, series);
  const onPaid = await publishEach(stage, lucia, paidPodcast);
  await runtime.db.update(products).set({ firstPublishSeenAt: runtime.now() });
  // set directly, because the cast has not set up selling
  await runtime.db.update(products).set({ priceMinor: 500 }).where(eq(products.id, paidPodcast.id));
  await runJobs(runtime, 'notifications.deliver', (job, ctx) => deliverEmail(ctx, job));
  return {
    lucia: withoutSession(lucia),
    ada: withoutSession(ada),
    tom: withoutSession(tom),
    podcast: podcast.id,
    series: series.id,
    paidPodcast: paidPodcast.id,
    episodes: {
      podcast: { ...onPodcast, scheduled: scheduled.id, onHold: held.id },
      series: inSeries,
      paidPodcast: onPaid,
    },
  };
}

const withoutSession = <P extends Person>({ token: _, api: __, ...member }: P) => member;

/** Opens the link in the verification email. */
async function verify({ runtime }: Stage, { id, email }: Person): Promise<void> {
  const [message] = await runtime.db.select({ text: outbox.text }).from(outbox).where(eq(outbox.to, email));
  const token = /token=(\S+)/.exec(message!.text)![1]!;
  await verifyEmail(acting(runtime).ctxOf({ id, creatorId: null }), { token });
}

/** Publishes a private episode, a trailer and a public episode, one hour apart. */
async function publishEach(
  { runtime, clock, make }: Stage,
  owner: Creator,
  show: { id: number; kind: 'podcast' | 'audio_series' },
): Promise<Audible> {
  const publish = async (type: keyof Audible, name: string) => {
    clock.now = later(clock.now, HOURS(1));
    const { id } = await make.draft(owner, show, { type, name });
    await checkNewAudio(runtime);
    return id;
  };
  const secret = await publish('private', 'Privado');
  const trailer = await publish('trailer', 'Avance');
  return { private: secret, trailer, public: await publish('public', 'Primero') };
}
