import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { emailTokens, sessions, users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { episodes } from '~/db/schema/episodes';
import { subscriberImports } from '~/db/schema/moving';
import { outbox } from '~/db/schema/notifications';
import { operatorActions } from '~/db/schema/operators';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import { creatorCommands } from '~/server/admin/creator-commands';
import { importCommands } from '~/server/admin/import-commands';
import { jobCommands } from '~/server/admin/job-commands';
import { mailCommands } from '~/server/admin/mail-commands';
import { switchCommands } from '~/server/admin/switch-commands';
import { userCommands } from '~/server/admin/user-commands';
import { DAYS, later } from '~/server/base/time';
import { queuePasswordReset } from '~/server/domain/accounts/logins/passwords';
import { endQueued, resumeQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { publishDue } from '~/server/domain/episodes/publish-episode';
import { requireSwitch } from '~/server/domain/reference/switches';
import { sendPasswordReset } from '~/server/queue/jobs/accounts';
import { endSubscription, resumeSubscription } from '~/server/queue/jobs/billing';
import { goLive } from '~/server/queue/jobs/episodes';
import { importSubscribers } from '~/server/queue/jobs/moving';
import { systemCtx } from '~/server/runtime/runtime';
import { PASSWORD } from '../support/make';
import { runJobs } from '../support/run-jobs';
import { shop, showItem } from '../support/shop';
import '../support/matchers';

const { runtime, make, lucia, ada, tom, buy, settle, clock, visitor } = await shop();
const { db } = runtime;
const ctx = systemCtx(runtime, 'operator');
const admin = { ctx, env: {} as never, operator: { name: 'olga' } };
const groups = {
  users: userCommands,
  creators: creatorCommands,
  jobs: jobCommands,
  imports: importCommands,
  mail: mailCommands,
  flags: switchCommands,
};
const run = (group: keyof typeof groups, name: string, args: (string | number)[] = [], options = {}) =>
  groups[group][name]!.run(admin, args.map(String), options);
const trail = async (target: string) =>
  (await db.select().from(operatorActions).where(eq(operatorActions.target, target)).orderBy(operatorActions.id)).map(
    ({ action }) => action,
  );
const userOf = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0]!;
const subjectsTo = async (userId: number) =>
  (await db.select().from(outbox).where(eq(outbox.userId, userId)).orderBy(outbox.createdAt)).map(({ topic }) => topic);

test('an account is found by the beginning of its address or name, or by its ID, and signs of patterns mean themselves', async () => {
  const { email } = await userOf(tom.id);

  expect(await run('users', 'search', [email.slice(0, 3).toUpperCase()])).toMatchObject([{ id: tom.id, email }]);
  expect((await run('users', 'search', [tom.id])).map(({ id }) => id)).toContain(tom.id);
  expect((await run('users', 'search')).length).toBeGreaterThanOrEqual(3);
  for (const words of ['%', '_', '\\', `${email}x`, "' or true"])
    expect(await run('users', 'search', [words])).toEqual([]);
  expect(await run('creators', 'search', ['LUC'])).toMatchObject([{ id: lucia.creatorId, domain: 'lucia' }]);
  await expect(run('users', 'search', ['x'.repeat(101)])).rejects.toThrow('at most');
  await expect(run('users', 'show', ['1; drop table users'])).rejects.toThrow('expected one ID');
  await expect(run('users', 'show', [9_999_999])).toFailWith('account.not_found');
});

test('by hand, an address is verified, sessions end and a password link is sent', async () => {
  const person = await make.person();
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, person.id));

  await run('users', 'verify', [person.id]);
  await expect(run('users', 'verify', [person.id])).toFailWith('console.nothing_to_do');
  await run('users', 'end-sessions', [person.id]);
  await run('users', 'send-password-link', [person.id]);

  expect((await userOf(person.id)).emailVerifiedAt).not.toBeNull();
  expect(await db.$count(sessions, eq(sessions.userId, person.id))).toBe(0);
  await runJobs(runtime, sendPasswordReset.name, (payload, each) => queuePasswordReset(each, payload as never));
  expect(
    await db.$count(emailTokens, and(eq(emailTokens.userId, person.id), eq(emailTokens.purpose, 'reset_password'))),
  ).toBe(1);
  expect(await trail(`user/${person.id}`)).toEqual([
    'users.verified',
    'users.sessions_ended',
    'users.password_link_sent',
  ]);
  const lines = await run('users', 'show', [person.id]);
  expect(lines).toContainEqual({ what: 'sessions', value: 0 });
  expect(lines.at(-1)).toMatchObject({ what: 'users.password_link_sent', value: expect.stringContaining('olga') });
});

test('a suspended account accepts no kind of log-in; its shows stay on sale, and its own subscriptions end with their period', async () => {
  const paid = await make.product(lucia, { name: 'De pago', priceMinor: 500 });
  const buyer = await make.person();
  await buy(showItem(paid, { userId: buyer.id }));
  await settle();
  const running = async () => (await db.select().from(subscriptions).where(eq(subscriptions.userId, buyer.id)))[0]!;
  expect((await running()).endsAt).toBeNull();
  const { email } = await userOf(buyer.id);
  const device = { channel: 'web' as const, userAgent: '', country: null };
  const before = await runtime.sessions.start(buyer.id, device);
  expect(await runtime.sessions.read(before.token)).toMatchObject({ userId: buyer.id });

  await expect(run('users', 'suspend', [buyer.id], {})).rejects.toThrow('--reason');
  await run('users', 'suspend', [buyer.id], { reason: 'Spam' });
  await expect(run('users', 'suspend', [buyer.id], { reason: 'Spam' })).toFailWith('console.nothing_to_do');

  expect(await runtime.sessions.read(before.token)).toBeNull();
  await expect(visitor.accounts.logIn({ email, password: PASSWORD })).toFailWith('account.suspended');
  await expect(visitor.accounts.logIn({ email, password: 'wrong' })).toFailWith('account.wrong_credentials');
  // a login that ended while the account was suspended
  const { token } = await runtime.sessions.start(buyer.id, device);
  expect(await runtime.sessions.read(token)).toBeNull();
  await runJobs(runtime, endSubscription.name, (payload, each) => endQueued(each, payload as never));
  await settle();
  expect(await running()).toMatchObject({
    endReason: 'account_suspended',
    endedAt: null,
    endsAt: (await running()).periodEnd,
  });

  await run('users', 'unsuspend', [buyer.id]);
  await expect(run('users', 'unsuspend', [buyer.id])).toFailWith('console.nothing_to_do');
  await runJobs(runtime, resumeSubscription.name, (payload, each) => resumeQueued(each, payload as never));
  await settle();
  expect(await running()).toMatchObject({ endReason: null, endsAt: null });
  expect((await visitor.accounts.logIn({ email, password: PASSWORD })).user.id).toBe(buyer.id);
  expect(await subjectsTo(buyer.id)).toEqual(expect.arrayContaining(['account_suspended', 'account_restored']));
  await expect(
    userCommands.suspend!.run({ ...admin, operator: { name: email } }, [`${buyer.id}`], { reason: 'x' }),
  ).toFailWith('console.not_yourself');
});

test('a creator’s subscribers keep what they have paid for while its account is suspended', async () => {
  const creator = await make.creator({ name: 'Sola' });
  const paid = await make.product(creator, { priceMinor: 500 });
  const listener = await make.person();
  await buy(showItem(paid, { userId: listener.id }));
  await settle();

  await run('users', 'suspend', [creator.id], { reason: 'Spam' });
  await runJobs(runtime, endSubscription.name, (payload, each) => endQueued(each, payload as never));

  const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.userId, listener.id));
  expect(subscription).toMatchObject({ endReason: null, endsAt: null, status: 'active' });
  expect(await visitor.pages.product({ domain: creator.domain, slug: paid.slug } as never)).toMatchObject({});
});

test('a creator who may not publish publishes neither by hand nor by the clock; what is published stays', async () => {
  const draft = await make.draft(ada, await make.product(ada), { name: 'Later' });
  await db
    .update(episodes)
    .set({ status: 'on_hold', heldAt: clock.now, audioKey: 'a', audioBytes: 1 })
    .where(eq(episodes.id, draft.id));
  const releaseDate = later(clock.now, DAYS(1));
  await ada.api.episodes.release({ id: draft.id, releaseDate });

  await run('creators', 'stop-publishing', [ada.creatorId], { reason: 'Copied shows' });
  await expect(run('creators', 'stop-publishing', [ada.creatorId], { reason: 'x' })).toFailWith(
    'console.nothing_to_do',
  );

  const scheduled = { ...ctx, now: () => releaseDate, actor: { type: 'system' as const, job: goLive.name } };
  await publishDue(scheduled, { episodeId: draft.id });
  const row = async () => (await db.select().from(episodes).where(eq(episodes.id, draft.id)))[0]!;
  expect(await row()).toMatchObject({ status: 'on_hold', failureReason: 'creator.publishing_stopped' });
  await expect(ada.api.episodes.release({ id: draft.id, releaseDate: null })).toFailWith('creator.publishing_stopped');
  await run('creators', 'allow-publishing', [ada.creatorId]);
  await expect(run('creators', 'allow-publishing', [ada.creatorId])).toFailWith('console.nothing_to_do');
  await ada.api.episodes.release({ id: draft.id, releaseDate: null });
  expect(await row()).toMatchObject({ status: 'published' });
  const lines = await run('creators', 'show', [ada.creatorId]);
  expect(lines).toContainEqual({ what: 'domain', value: ada.domain });
  expect(lines.map(({ what }) => what)).toEqual(expect.arrayContaining(['creators.publishing_stopped', 'audioBytes']));
  await expect(run('creators', 'show', [9_999_999])).toFailWith('creator.not_found');
});

test('failed jobs are listed with their error and run again; waiting ones are cancelled', async () => {
  const queue = goLive.name;
  await db.execute(sql`delete from pgboss.job where name = ${queue}`);
  const insert = async (state: string) => {
    const [row] = await db.execute<{ id: string }>(sql`
      insert into pgboss.job (name, data, state, output, completed_on)
      values (${queue}, '{"episodeId": 1}', ${state}::pgboss.job_state, '{"message": "out of order"}', ${state === 'failed' ? sql`now()` : null}) returning id`);
    return row!.id;
  };
  const [failed, other, waiting] = [await insert('failed'), await insert('failed'), await insert('created')];

  expect(await run('jobs', 'queues')).toContainEqual(expect.objectContaining({ queue, failed: 2, waiting: 1 }));
  const listed = await run('jobs', 'failed', [], { queue });
  expect(listed).toHaveLength(2);
  expect(listed).toContainEqual(
    expect.objectContaining({ id: failed, error: 'out of order', data: '{"episodeId": 1}' }),
  );
  await run('jobs', 'retry', [failed]);
  await expect(run('jobs', 'retry', [failed])).toFailWith('console.nothing_to_do');
  expect(await run('jobs', 'retry', [], { queue })).toEqual([{ queue, retried: 1 }]);
  await expect(run('jobs', 'retry', [], { queue })).toFailWith('console.nothing_to_do');
  await run('jobs', 'cancel', [waiting]);
  await expect(run('jobs', 'cancel', [waiting])).toFailWith('console.nothing_to_do');
  await expect(run('jobs', 'cancel', [crypto.randomUUID()])).toFailWith('console.job_unknown');

  const states = await db.execute<{ id: string; state: string }>(
    sql`select id, state from pgboss.job where name = ${queue} order by created_on, id`,
  );
  expect(Object.fromEntries([...states].map(({ id, state }) => [id, state]))).toEqual({
    [failed]: 'retry',
    [other]: 'retry',
    [waiting]: 'cancelled',
  });
  expect(await trail(`job/${failed}`)).toEqual(['jobs.retried']);
  expect(await trail(`queue/${queue}`)).toEqual(['jobs.queue_retried']);
});

test('one failed email is sent again, and the list names why each failed', async () => {
  const content = { topic: 'test', language: 'en' as const, subject: 'Private', html: '<p>', text: 'Private' };
  const failure = { attempts: 3, failedAt: clock.now, failure: '550 unknown user' };
  const rows = [1, 2].map((n) => ({ to: `f${n}@mail.example`, ...content, ...failure }));
  const [first] = await db.insert(outbox).values(rows).returning();

  const listed = await run('mail', 'failed');
  expect(listed).toContainEqual(expect.objectContaining({ to: 'f1@mail.example', failure: '550 unknown user' }));
  expect(JSON.stringify(listed)).not.toContain('Private');
  await run('mail', 'resend', [first!.id]);
  await expect(run('mail', 'resend', [first!.id])).toFailWith('console.nothing_to_do');
  expect(await run('mail', 'failed')).toHaveLength(1);
  expect(await run('mail', 'resend')).toEqual([{ resent: 1 }]);
  expect(await trail(`email/${first!.id}`)).toEqual(['mail.resent']);
  expect(await trail('emails')).toEqual(['mail.resent']);
});

test('a failed import starts again with its failed episodes, and is cancelled', async () => {
  const values = {
    creatorId: lucia.creatorId,
    userId: lucia.id,
    feedUrl: 'https://old.example/feed',
    expiresAt: clock.now,
  };
  const preview = { title: 'Old', losses: [], repairs: [] } as never;
  const [row] = await db
    .insert(rssImports)
    .values({ ...values, preview, status: 'failed', failureReason: 'fetch.timeout', tokenHash: 'h', proofCode: 'c' })
    .returning();
  const item = { importId: row!.id, position: 0, guid: 'g', name: 'One', state: 'failed' as const, data: {} as never };
  await db.insert(rssImportItems).values(item as never);
  const stateOf = async () => (await db.select().from(rssImports).where(eq(rssImports.id, row!.id)))[0]!;

  expect(await run('imports', 'list')).toContainEqual(
    expect.objectContaining({ kind: 'rss', id: row!.id, creator: 'lucia', failure: 'fetch.timeout' }),
  );
  await run('imports', 'retry', ['rss', row!.id]);
  expect(await stateOf()).toMatchObject({ status: 'in_progress', failureReason: null, endedAt: null });
  expect(
    await db.$count(rssImportItems, and(eq(rssImportItems.importId, row!.id), eq(rssImportItems.state, 'waiting'))),
  ).toBe(1);
  await run('imports', 'cancel', ['rss', row!.id]);
  expect(await stateOf()).toMatchObject({ status: 'cancelled' });
  await expect(run('imports', 'cancel', ['rss', row!.id])).toFailWith('console.nothing_to_do');
  await expect(run('imports', 'retry', ['rss', row!.id])).toFailWith('console.nothing_to_do');
  await expect(run('imports', 'retry', ['subscribers', 9_999_999])).toFailWith('console.import_unknown');
  await expect(run('imports', 'retry', ['other', 1])).rejects.toThrow('rss or subscribers');
  expect(await trail(`rss-import/${row!.id}`)).toEqual(['imports.retried', 'imports.cancelled']);
});

test('a list of subscribers whose job was lost continues with its step', async () => {
  const show = await make.product(lucia, { name: 'Club', priceMinor: 900 });
  const of = { creatorId: lucia.creatorId, productId: show.id, userId: lucia.id };
  const state = { fileKey: 'list', fileName: 'list.csv', format: 'other', status: 'checking', step: 3 } as const;
  const times = { createdAt: clock.now, updatedAt: clock.now };
  const [row] = await db
    .insert(subscriberImports)
    .values({ ...of, ...state, ...times })
    .returning();

  await run('imports', 'retry', ['subscribers', row!.id]);

  const queued: unknown[] = [];
  await runJobs(runtime, importSubscribers.name, async (payload) => void queued.push(payload));
  expect(queued).toEqual([{ importId: row!.id, step: 3 }]);
  expect(await trail(`subscribers-import/${row!.id}`)).toEqual(['imports.retried']);
});

test('an operator switches what begins off: for all, for all but a creator, and on again', async () => {
  const newAccount = () => {
    const email = `n${Math.random().toString(36).slice(2, 10)}@mail.example`;
    return visitor.accounts.signUp({ email, password: PASSWORD, name: 'New', country: 'ES', terms: true } as never);
  };
  const file = { fileName: 'a.mp3', contentType: 'audio/mpeg', fileSize: 10, purpose: 'episode_audio' } as const;
  expect(await run('flags', 'list')).toContainEqual(expect.objectContaining({ name: 'uploads', percent: 100 }));

  await run('flags', 'set', ['registrations', 0]);
  await run('flags', 'set', ['uploads', 0], { creators: `${lucia.creatorId}` });
  await run('flags', 'set', ['imports', 0]);
  await run('flags', 'set', ['payout_requests', 0]);

  await expect(newAccount()).toFailWith('switch.off');
  await expect(ada.api.media.requestUpload(file)).toFailWith('switch.off');
  expect(await lucia.api.media.requestUpload(file)).toMatchObject({ fileSize: 10 });
  const feed = { url: 'https://old.example/feed', proof: 'email', follow: false } as never;
  await expect(lucia.api.imports.request(feed)).toFailWith('switch.off');
  await expect(lucia.api.payouts.request({ currentPassword: PASSWORD, currency: 'eur' })).toFailWith('switch.off');
  await run('flags', 'set', ['registrations', 100]);
  expect(await newAccount()).toBeDefined();
  for (const args of [['registrations', 101], ['registrations', -1], ['everything', 0], ['uploads']])
    await expect(run('flags', 'set', args)).rejects.toThrow('expected a name');
  for (const name of ['uploads', 'imports', 'payout_requests']) await run('flags', 'set', [name, 100]);
  expect(await trail('switch/registrations')).toEqual(['switches.set', 'switches.set']);
});

test('a share of users is always the same users, and they stay in it when it grows', async () => {
  const people = Array.from({ length: 200 }, (_, i) => i);
  const inside = async (percent: number) => {
    await run('flags', 'set', ['imports', percent]);
    const asked = people.map((subject) =>
      requireSwitch(ctx, 'imports', { subject }).then(
        () => [subject],
        () => [],
      ),
    );
    return (await Promise.all(asked)).flat();
  };
  const [few, again, more] = [await inside(20), await inside(20), await inside(60)];
  await run('flags', 'set', ['imports', 100]);

  expect(few).toEqual(again);
  expect(more).toEqual(expect.arrayContaining(few));
  expect(few.length).toBeGreaterThan(15);
  expect(more.length).toBeLessThan(160);
});
