import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { announcements } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { outbox } from '~/db/schema/notifications';
import { DAYS, earlier, HOURS, later, MINUTES } from '~/server/base/time';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { announceEpisode } from '~/server/domain/episodes/announce-episode';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { unsubscribe } from '~/server/domain/notifications/unsubscribe';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { announceEpisode as announceJob } from '~/server/queue/jobs/episodes';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { isDeep } from '../../support/deep';
import type { Person } from '../../support/make';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, make, visitorCtx, checkNewAudio } = await cast();
const { db } = runtime;
const start = clock.now;
const owner = await make.creator({ name: 'Lucía' });
const jobCtx = systemCtx(runtime, announceJob.name);
const ON_HOLD = { status: 'on_hold', heldAt: start, releaseAt: null } as const;

type Source = Parameters<typeof grantAccess>[1]['source'];
const grant = (person: Person, productId: number, source: Source, over: { endsAt?: Date } = {}) =>
  transact(visitorCtx(), (tx) => grantAccess(tx, { userId: person.id, productId, source, ...over }));
const verified = async (over: Parameters<typeof make.person>[0] = {}) => {
  const person = await make.person(over);
  await db.update(users).set({ emailVerifiedAt: start }).where(eq(users.id, person.id));
  return person;
};
/** Runs the queued announcements, including those that they enqueue. */
async function announce(): Promise<void> {
  const work = (payload: Parameters<typeof announceEpisode>[1], ctx: typeof jobCtx) => announceEpisode(ctx, payload);
  while ((await runJobs(runtime, announceJob.name, work)) > 0);
}
const isAbout = (episode: string) =>
  and(eq(outbox.topic, 'new_episode'), sql`${outbox.subject} like ${`%: ${episode}`}`);
const emailsOf = (episode: string) => db.select().from(outbox).where(isAbout(episode)).orderBy(outbox.createdAt);
const recipientsOf = async (episode: string) => (await emailsOf(episode)).map(({ to }) => to).sort();

let shows = 0;
const show = (over: Parameters<typeof make.product>[1] = {}) =>
  make.product(owner, { name: 'Olas', slug: `show-${++shows}`, ...over });
let drafts = 0;
const draft = async (product: Awaited<ReturnType<typeof show>>, over: Partial<typeof episodes.$inferInsert> = {}) => {
  const name = `Draft ${++drafts}`;
  const [row] = await make.episodes(product, 1, () => ({ ...ON_HOLD, name, slug: `draft-${drafts}`, ...over }));
  return { id: row!.id, name: row!.name };
};
const release = (id: number) => owner.api.episodes.release({ id, releaseDate: null });

test('publishing emails those who may hear the episode and want emails, in their language', async () => {
  const product = await show({ priceMinor: 500, subscriberEmailMessage: 'Gracias por estar ahí.' });
  const [payer, follower, ended, unverified, optedOut, off] = [
    await verified({ language: 'es', name: 'Eva' }),
    await verified(),
    await verified(),
    await make.person(),
    await verified(),
    await verified(),
  ];
  for (const person of [payer, optedOut, off]) await grant(person, product.id, 'subscription');
  for (const person of [payer, follower, unverified]) await grant(person, product.id, 'follow');
  await grant(ended, product.id, 'subscription', { endsAt: start });
  const [secret, open] = [await draft(product, { type: 'private' }), await draft(product)];
  await off.api.accounts.updateNotifications({ new_episode: false });

  await release(secret.id);
  await announce();
  const toOptOut = (await emailsOf(secret.name)).find(({ to }) => to === optedOut.email)!;
  const token = /token=([^>]+)/.exec(toOptOut.headers['List-Unsubscribe']!)![1]!;
  await unsubscribe(visitorCtx(), { token });
  await release(open.id);
  await announce();

  expect(await recipientsOf(secret.name)).toEqual([payer.email, optedOut.email].sort());
  expect(await recipientsOf(open.name)).toEqual([payer.email, follower.email].sort());
  const toPayer = (await emailsOf(open.name)).find(({ to }) => to === payer.email)!;
  expect(toPayer).toMatchObject({ language: 'es', subject: `Olas: ${open.name}`, userId: payer.id });
  expect(toPayer.text).toContain('Lucía ha publicado un episodio nuevo de Olas.');
  expect(toPayer.text).toContain('De qué va el Episodio 1.');
  expect(toPayer.text).toContain('Gracias por estar ahí.');
  expect(toPayer.text).toContain(`/p/${product.slug}/draft-`);
  expect(toPayer.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  expect(toPayer.html).toContain('unsubscribe?token=');
});

test('no listener is told twice: not when it returns, by a second job, or by two jobs at once', async () => {
  const product = await show();
  const [early, late] = [await verified(), await verified()];
  await grant(early, product.id, 'follow');
  const { id, name } = await draft(product);
  await release(id);
  await announce();
  clock.now = later(start, MINUTES(10));
  await grant(late, product.id, 'follow');

  await owner.api.episodes.hold({ id });
  await owner.api.episodes.release({ id });
  await announce();
  const batch = { episodeId: id, until: clock.now.toISOString(), after: 0 };
  await db.delete(announcements).where(eq(announcements.episodeId, id));
  await db.delete(outbox).where(eq(outbox.topic, 'new_episode'));
  await Promise.all([announceEpisode(jobCtx, batch), announceEpisode(jobCtx, batch)]);

  clock.now = start;
  expect(await recipientsOf(name)).toEqual([early.email, late.email].sort());
});

test('an episode that returns is not announced to listeners who came later', async () => {
  const product = await show();
  const { id, name } = await draft(product);
  await release(id);
  await announce();
  await owner.api.episodes.hold({ id });
  clock.now = later(start, MINUTES(10));
  await grant(await verified(), product.id, 'follow');

  await owner.api.episodes.release({ id });
  await announce();

  clock.now = start;
  expect(await recipientsOf(name)).toEqual([]);
});

test.each<[string, Partial<typeof episodes.$inferInsert>]>([
  ['a trailer', { type: 'trailer' }],
  ['an episode without emails', { sendEmail: false }],
  ['an episode with an older date', { releaseAt: earlier(start, DAYS(30)), publishedAt: earlier(start, DAYS(30)) }],
])('%s is not announced', async (_, over) => {
  const product = await show();
  await grant(await verified(), product.id, 'follow');
  const { id, name } = await draft(product, over);

  await owner.api.episodes.release({ id });
  await announce();

  expect(await recipientsOf(name)).toEqual([]);
});

test('a scheduled episode is announced at its time, to the subscribers at that moment', async () => {
  const product = await show();
  const [stays, leaves] = [await verified(), await verified()];
  for (const person of [stays, leaves]) await grant(person, product.id, 'follow');
  const at = later(start, HOURS(2));
  const { id } = await make.draft(owner, product, { name: 'Scheduled', releaseDate: at });
  await checkNewAudio();
  await announce();
  expect(await recipientsOf('Scheduled')).toEqual([]);
  await transact(visitorCtx(), (tx) => endAccess(tx, { userId: leaves.id, productId: product.id, source: 'follow' }));
  clock.now = at;

  for (let i = 0; i < 2; i++) await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: id });
  await announce();

  clock.now = start;
  expect(await recipientsOf('Scheduled')).toEqual([stays.email]);
});

test('an episode that was unpublished before the job runs is not announced', async () => {
  const product = await show();
  await grant(await verified(), product.id, 'follow');
  const { id, name } = await draft(product);

  await release(id);
  await owner.api.episodes.hold({ id });
  await announce();

  expect(await recipientsOf(name)).toEqual([]);
});

/** Followers, inserted in two statements. */
async function followers(productId: number, count: number): Promise<void> {
  const people = await db
    .insert(users)
    .values(
      Array.from({ length: count }, (_, i) => ({
        ...{
          email: `many-${productId}-${i}@mail.example`,
          name: `P${i}`,
          language: 'en' as const,
          currency: 'eur' as const,
        },
        ...{ termsAcceptedAt: start, emailVerifiedAt: start },
      })),
    )
    .returning({ id: users.id });
  await db
    .insert(grants)
    .values(people.map(({ id }) => ({ userId: id, productId, source: 'follow' as const, startsAt: start })));
}

test('after a kill between two batches, the remaining listeners are told, and none twice', async () => {
  const product = await show();
  const count = EPISODE_LIMITS.announcedAtOnce + 20;
  await followers(product.id, count);
  const { id, name } = await draft(product);
  await release(id);
  const first = { episodeId: id, until: start.toISOString(), after: 0 };
  await runJobs(runtime, announceJob.name, async () => {});
  const killed = { ...jobCtx, queue: { ...jobCtx.queue, joiningAll: () => () => Promise.reject(new Error('killed')) } };

  await expect(announceEpisode(killed, first)).rejects.toThrow('killed');
  expect(await recipientsOf(name)).toEqual([]);
  await announceEpisode(jobCtx, first);
  expect(await recipientsOf(name)).toHaveLength(EPISODE_LIMITS.announcedAtOnce);
  // the end of the first job was not stored, so it runs again beside the job that it had enqueued
  await announceEpisode(jobCtx, first);
  await announce();

  const told = await recipientsOf(name);
  expect([told.length, new Set(told).size]).toEqual([count, count]);
});

test.runIf(isDeep)('20,000 subscribers are told in batches of the set size', async () => {
  const product = await show();
  const { id, name } = await draft(product);
  for (let i = 0; i < 10; i++) {
    await db.execute(sql`
      with people as (
        insert into users (email, name, language, currency, terms_accepted_at, email_verified_at)
        select 'deep-' || ${i}::int || '-' || n || '@mail.example', 'P', 'en', 'eur', ${start.toISOString()}::timestamptz, ${start.toISOString()}::timestamptz
        from generate_series(1, 2000) n returning id)
      insert into grants (user_id, product_id, source, starts_at)
      select id, ${product.id}, 'follow', ${start.toISOString()}::timestamptz from people`);
  }
  await release(id);
  const told = [0];

  const counted = async (payload: Parameters<typeof announceEpisode>[1], ctx: typeof jobCtx) => {
    await announceEpisode(ctx, payload);
    // the emails themselves would be read in full after each batch
    told.push(await db.$count(outbox, isAbout(name)));
  };
  while ((await runJobs(runtime, announceJob.name, counted)) > 0);

  expect(told.at(-1)).toBe(20_000);
  const batches = told.slice(1).map((count, i) => count - told[i]!);
  expect(batches).toHaveLength(20_000 / EPISODE_LIMITS.announcedAtOnce + 1);
  expect(Math.max(...batches)).toBe(EPISODE_LIMITS.announcedAtOnce);
});

test('a release more than six hours late is published, and its owner gets the planned and the actual time', async () => {
  const product = await show();
  const lateBy = async (hours: number) => {
    const at = later(start, HOURS(1));
    const { id, name } = await draft(product, {
      status: 'scheduled',
      heldAt: null,
      releaseAt: at,
      name: `Late ${hours}`,
    });
    clock.now = later(at, HOURS(hours) + (hours === 6 ? 0 : 1));
    for (let i = 0; i < 2; i++) await publishDue(systemCtx(runtime, 'episodes.go-live'), { episodeId: id });
    clock.now = start;
    const [row] = await db.select().from(episodes).where(eq(episodes.id, id));
    const reports = await db
      .select()
      .from(outbox)
      .where(and(eq(outbox.topic, 'late_release'), sql`${outbox.subject} like ${`${name} %`}`))
      .orderBy(outbox.createdAt);
    return { status: row!.status, reports };
  };

  const [inTime, late] = [await lateBy(6), await lateBy(7)];

  expect([inTime.status, inTime.reports.length]).toEqual(['published', 0]);
  expect([late.status, late.reports.length]).toEqual(['published', 1]);
  const [report] = late.reports;
  expect(report!.to).toBe(owner.email);
  expect(report!.text).toMatch(/Planned: .+\nPublished: .+\nTime zone: Europe\/Madrid/);
  expect(report!.text).toContain(`/podcasts/${product.id}/episodes/`);
});
