import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { billingDetails, emailTokens, sessions, users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { identities, passkeys } from '~/db/schema/logins';
import { uploads } from '~/db/schema/media';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { abuseReports, contactMessages } from '~/db/schema/support';
import { deleteDueAccount } from '~/jobs/handlers/deletion';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { markConfirmed } from '~/server/domain/accounts/second-factors/second-factor';
import { recoverDeletions, requestDeletion } from '~/server/domain/accounts/settings/delete-account';
import { sendMessage } from '~/server/domain/support/contact-support';
import { reportAbuse } from '~/server/domain/support/report-abuse';
import { DELETION_LIMITS } from '~/server/limits/accounts';
import { systemCtx } from '~/server/runtime/runtime';
import '../../../support/matchers';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { cast } from '../../../support/cast';
import { legacyClient } from '../../../support/legacy';
import { PASSWORD, type Person } from '../../../support/make';
import { pagesApp } from '../../../support/pages-app';

const opened = await cast({ settings: { CREATOR_URLS: 'path' } });
const { runtime, env, clock, visitor, make, as, ctxOf, checkNewAudio } = opened;
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const api = legacyClient(opened);
const ctx = systemCtx(runtime, 'accounts.delete');

const rowOf = async ({ id }: { id: number }) => (await db.select().from(users).where(eq(users.id, id)))[0]!;
const proof = { currentPassword: PASSWORD };

async function tokenFor(email: string): Promise<string> {
  const mails = await db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, email), eq(outbox.topic, 'deletion_scheduled')))
    .orderBy(outbox.createdAt);
  return /token=(\S+)/.exec(mails.at(-1)!.text)![1]!;
}

/** Runs the job at its due time. */
async function deleteNow(person: { id: number }, work = deleteDueAccount): Promise<void> {
  const start = clock.now;
  clock.now = later(start, DELETION_LIMITS.delay);
  try {
    await work(ctx, { userId: person.id });
  } finally {
    clock.now = start;
  }
}

/** A creator with one show and one published episode, whose files exist. */
async function publishing() {
  const creator = await make.creator({ name: 'Lucía' });
  const show = await creator.api.products.create(await make.productInput(creator));
  const episode = await make.draft(creator, show);
  await checkNewAudio();
  return { creator, show, episode };
}

const scheduled = async (person: Person) => {
  const { dueAt } = await requestDeletion(ctxOf(person), { ...proof, address: '', code: '' });
  return { dueAt, token: await tokenFor(person.email) };
};

test('a deletion needs the password, is due within 24 hours, and is scheduled once', async () => {
  const person = await make.person();
  await expect(person.api.accounts.requestDeletion({ currentPassword: 'wrong' })).toFailWith('account.wrong_password');
  expect(await person.api.accounts.deletionState()).toEqual({ dueAt: null, proof: 'password' });

  const [first, second] = [await scheduled(person), await person.api.accounts.requestDeletion(proof)];

  expect(first.dueAt.getTime()).toBeLessThan(later(clock.now, HOURS(24)).getTime());
  expect(second).toEqual({ dueAt: first.dueAt });
  expect(await person.api.accounts.deletionState()).toMatchObject(second);
  expect(await db.$count(outbox, and(eq(outbox.to, person.email), eq(outbox.topic, 'deletion_scheduled')))).toBe(1);
  // nothing is deleted before then
  await deleteDueAccount(ctx, { userId: person.id });
  expect(await rowOf(person)).toMatchObject({ email: person.email, deletedAt: null });
});

test('an account without a password types its address', async () => {
  const person = await make.person();
  await db.update(users).set({ passwordHash: null }).where(eq(users.id, person.id));

  await expect(person.api.accounts.requestDeletion({ address: 'other@mail.example' })).toFailWith(
    'account.wrong_address',
  );
  await expect(person.api.accounts.requestDeletion({ address: person.email })).resolves.toBeDefined();
});

test('an account with a second factor needs that, and not the password', async () => {
  const person = await make.person();
  const key = { name: 'Key', publicKey: '', counter: 0, transports: [] };
  await db.insert(passkeys).values({ ...key, id: `key${person.id}`, userId: person.id });
  expect((await person.api.accounts.deletionState()).proof).toBe('second_factor');

  await expect(person.api.accounts.requestDeletion(proof)).toFailWith('account.second_factor_required');
  await expect(person.api.accounts.requestDeletion({ code: '123456' })).toFailWith('account.wrong_code');
  await markConfirmed(ctxOf(person), person.token);

  await expect(person.api.accounts.requestDeletion({})).resolves.toBeDefined();
});

test('the link undoes a deletion once, and only before it is due; opening it changes nothing', async () => {
  const person = await make.person();
  const { token } = await scheduled(person);
  for (let i = 0; i < 2; i += 1) await visitor.accounts.undoDeletionLink({ token });
  expect((await person.api.accounts.deletionState()).dueAt).not.toBeNull();

  await visitor.accounts.undoDeletion({ token });

  expect((await person.api.accounts.deletionState()).dueAt).toBeNull();
  await deleteNow(person);
  expect((await rowOf(person)).deletedAt).toBeNull();
  await expect(visitor.accounts.undoDeletion({ token })).toFailWith('account.link_expired');
  // a used link does not undo the next deletion, and no link undoes one that is due
  const next = await scheduled(person);
  await expect(visitor.accounts.undoDeletion({ token })).toFailWith('account.link_expired');
  const start = clock.now;
  clock.now = next.dueAt;
  await expect(visitor.accounts.undoDeletion({ token: next.token })).toFailWith('account.link_expired');
  await expect(person.api.accounts.cancelDeletion()).toFailWith('account.link_expired');
  clock.now = start;
});

test('keeping the account in the settings makes the link worthless', async () => {
  const person = await make.person();
  const { token } = await scheduled(person);

  await person.api.accounts.cancelDeletion();

  await expect(visitor.accounts.undoDeletionLink({ token })).toFailWith('account.link_expired');
  expect(await db.$count(emailTokens, eq(emailTokens.userId, person.id))).toBe(1);
});

test('a REST call needs only the token, but a cookie of a browser can’t make it', async () => {
  const { token, email } = await make.person();
  const headers = { cookie: `token=${token}`, 'content-type': 'application/json' };
  const url = `${env.urls.appUrl}/trpc/accounts.requestDeletionByToken`;

  const byCookie = await app.request(url, { method: 'POST', headers, body: '{}' });
  const ofOtherSite = await app.request(`${env.urls.appUrl}/profile/data`, {
    method: 'POST',
    headers: { cookie: `token=${token}`, origin: 'https://evil.example' },
    body: new URLSearchParams({ intent: 'delete', ...proof }),
  });
  expect([byCookie.status, ofOtherSite.status]).toEqual([403, 403]);
  expect((await (await as({ token })).accounts.deletionState()).dueAt).toBeNull();

  const { status, body } = await api.get('delete-account/', { token });

  expect([status, body]).toEqual([
    200,
    {
      detail: 'Your account will be deleted. We sent you an email with a link to undo it.',
      scheduled_for: later(clock.now, DELETION_LIMITS.delay).toISOString(),
    },
  ]);
  await expect(tokenFor(email)).resolves.toMatch(/\S/);
});

test('no personal data is left, the address is free again, and the account accepts no log-in', async () => {
  const person = await make.person({ name: 'Ana Personal' });
  await person.api.accounts.update({ country: 'ES' });
  await db.insert(billingDetails).values({ userId: person.id, iban: 'ES9121000418450200051332' });
  await db.insert(identities).values({ userId: person.id, provider: 'google', subject: 'g1', email: person.email });
  await sendMessage(ctxOf(person), { name: 'Ana', email: 'other@mail.example', subject: 'S', text: 'T' });
  const report = { reason: 'hate', text: 'T', name: 'Ana', email: null, isInGoodFaith: true } as const;
  await reportAbuse(ctxOf(person), { ...report, page: { domain: opened.lucia.domain } });
  await make.upload(person, 'avatar');
  await scheduled(person);

  await deleteNow(person);

  expect(await rowOf(person)).toMatchObject({
    name: '',
    email: `deleted-${person.id}@account.invalid`,
    passwordHash: null,
    country: null,
    deletedAt: later(clock.now, DELETION_LIMITS.delay),
  });
  for (const table of [sessions, billingDetails, identities, emailTokens, uploads, contactMessages, abuseReports])
    expect(await db.$count(table, eq(table.userId, person.id))).toBe(0);
  const emails = await db.select().from(outbox).where(eq(outbox.to, person.email)).orderBy(outbox.createdAt);
  expect(emails.map(({ topic }) => topic)).toEqual(['account_deleted']);
  expect(await runtime.sessions.read(person.token)).toBeNull();
  await expect(visitor.accounts.logIn({ email: person.email, password: PASSWORD })).toFailWith(
    'account.wrong_credentials',
  );
  await expect(make.person({ email: person.email })).resolves.toBeDefined();
});

test('a creator’s pages, feeds and files disappear; domain and slugs stay reserved', async () => {
  const { creator, show, episode } = await publishing();
  const page = `/@${creator.domain}/p/${show.slug}`;
  const statusOf = async (path: string) => (await app.request(env.urls.appUrl + path)).status;
  const feed = async () => (await renderFeed(runtime, { domain: creator.domain, slug: show.slug })).status;
  const files = async () => [
    ...(await runtime.ports.storage.list(`audio/${creator.creatorId}/`, 10)),
    ...(await runtime.ports.storage.list(`images/${creator.id}/`, 10)),
  ];
  expect([await statusOf(page), await feed(), (await files()).length > 1]).toEqual([200, 200, true]);
  await scheduled(creator);

  await deleteNow(creator);

  for (const path of [`/@${creator.domain}`, page, `${page}/${episode.slug}`]) expect(await statusOf(path)).toBe(410);
  expect(await feed()).toBe(410);
  expect((await api.get(`open-episode/${episode.id}/`)).status).toBe(404);
  expect(await files()).toEqual([]);
  expect(await db.$count(episodes, eq(episodes.creatorId, creator.creatorId))).toBe(0);
  const [row] = await db.select().from(creators).where(eq(creators.id, creator.creatorId));
  expect(row).toMatchObject({ domain: creator.domain, name: '' });
  const [kept] = await db.select().from(products).where(eq(products.id, show.id));
  expect(kept).toMatchObject({ slug: show.slug, name: '', description: '' });
  const other = await make.person();
  expect(await other.api.creators.domainAvailability({ domain: creator.domain })).toMatchObject({ available: false });
});

test('a job that is killed between any two steps is finished by the next one', async () => {
  const { creator } = await publishing();
  const kept = await make.creator();
  await scheduled(creator);
  let failures = 0;
  for (let allowed = 0; ; allowed += 1) {
    let left = allowed;
    const dying = new Proxy(runtime.db, {
      get(target, name, receiver) {
        if (name === 'transaction' || name === 'delete') {
          left -= 1;
          if (left < 0) throw new Error('killed');
        }
        return Reflect.get(target, name, receiver);
      },
    });
    const isDone = await deleteNow(creator, (_, person) => deleteDueAccount({ ...ctx, db: dying }, person)).then(
      () => true,
      () => false,
    );
    if (isDone) break;
    failures += 1;
  }

  expect(failures).toBeGreaterThan(4);
  expect((await rowOf(creator)).deletedAt).not.toBeNull();
  expect(await runtime.ports.storage.list(`audio/${creator.creatorId}/`, 10)).toEqual([]);
  expect(await kept.api.accounts.me()).toMatchObject({ id: kept.id });
});

test('an overdue deletion whose job was lost is enqueued again', async () => {
  const person = await make.person();
  const { dueAt } = await scheduled(person);
  const queued = async () => {
    const jobs = await runtime.queue.boss.fetch('accounts.delete', { batchSize: 100 });
    return (jobs ?? []).filter(({ data }) => (data as { userId: number }).userId === person.id).length;
  };
  await queued();

  await recoverDeletions({ ...ctx, now: () => later(dueAt, MINUTES(9)) });
  expect(await queued()).toBe(0);
  await recoverDeletions({ ...ctx, now: () => later(dueAt, MINUTES(11)) });

  expect(await queued()).toBe(1);
});
