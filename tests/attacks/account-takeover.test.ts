import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { and, eq, like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { accountExports, sessions, users } from '~/db/schema/accounts';
import { authenticators, identities, loginChallenges, passkeys, recoveryCodes } from '~/db/schema/logins';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import { contactMessages } from '~/db/schema/support';
import { deleteDueAccount } from '~/jobs/handlers/deletion';
import { HOURS, later } from '~/server/base/time';
import { queuePasswordReset } from '~/server/domain/accounts/logins/passwords';
import { buildExport, sweepExports } from '~/server/domain/accounts/personal-data/export-data';
import { queueEmailChange } from '~/server/domain/accounts/settings/email-change';
import { deleteStoredObjects } from '~/server/domain/media/sweep-uploads';
import { EMAIL_LINK_LIMITS } from '~/server/limits/accounts';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { cast } from '../support/cast';
import { lockWaits } from '../support/lock-waits';
import { PASSWORD, type Person } from '../support/make';
import { runJobs } from '../support/run-jobs';
import { protect } from '../support/second-factors';

const staged = await cast();
const { runtime, clock, visitor, make, as } = staged;
const { db } = runtime;
const { storage } = runtime.ports;
const ctx = systemCtx(runtime, 'accounts.delete');
const NEW = 'battery horse correct';

async function lastToken(to: string, topic: string): Promise<string> {
  const about = and(eq(outbox.to, to), eq(outbox.topic, topic));
  const mails = await db.select().from(outbox).where(about).orderBy(outbox.createdAt);
  return /token=(\S+)/.exec(mails.at(-1)!.text)![1]!;
}

async function resetLinkOf({ email }: { email: string }): Promise<string> {
  await visitor.accounts.requestPasswordReset({ email });
  await runJobs(runtime, 'accounts.send-password-reset', (job, jobCtx) => queuePasswordReset(jobCtx, job));
  return lastToken(email, 'reset_password');
}

const rowOf = async ({ id }: { id: number }) => (await db.select().from(users).where(eq(users.id, id)))[0]!;
const dueNow = ({ id }: { id: number }) =>
  db.update(users).set({ deletionDueAt: clock.now }).where(eq(users.id, id)).execute();
const verify = ({ id }: { id: number }) =>
  db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, id)).execute();

/** Ways to log in that an attacker can leave in an account. */
async function leaveWaysIn(person: Person): Promise<void> {
  const userId = person.id;
  const key = { name: 'Key', publicKey: '', counter: 0, transports: [] };
  await db.insert(passkeys).values({ ...key, id: `planted${userId}`, userId });
  await db.insert(identities).values({ userId, provider: 'google', subject: `planted${userId}` });
}

const waysIn = async ({ id }: { id: number }) =>
  Promise.all(
    [passkeys, identities, authenticators, recoveryCodes, loginChallenges].map((table) =>
      db.$count(table, eq(table.userId, id)),
    ),
  );

test('an attacker in an account with a victim’s unverified address is logged out when the victim sets a password', async () => {
  const squatter = await protect(staged);
  await leaveWaysIn(squatter);

  await visitor.accounts.resetPassword({ token: await resetLinkOf(squatter), password: NEW });

  expect(await waysIn(squatter)).toEqual([0, 0, 0, 0, 0]);
  expect((await visitor.accounts.logIn({ email: squatter.email, password: NEW })).user.isEmailVerified).toBe(true);
  // the owner of the verified address has set up the factors, and keeps them
  const owner = await protect(staged);
  await verify(owner);
  await visitor.accounts.resetPassword({ token: await resetLinkOf(owner), password: NEW });
  await expect(visitor.accounts.logIn({ email: owner.email, password: NEW })).toFailWith(
    'account.second_factor_required',
  );
});

test('a login that waits for its code ends with the password that began it', async () => {
  const owner = await protect(staged);
  const values = { hash: `waits${owner.id}`, purpose: 'second_factor', userId: owner.id } as const;
  await db.insert(loginChallenges).values({ ...values, expiresAt: later(clock.now, HOURS(1)) });

  await owner.api.accounts.changePassword({ currentPassword: PASSWORD, password: NEW });

  expect(await db.$count(loginChallenges, eq(loginChallenges.userId, owner.id))).toBe(0);
});

test('no attacker floods an address with notices that its owner has never requested', async () => {
  const { email, api } = await make.person();
  const victim = await make.person();
  const target = 'flooded@mail.example';
  const squatter = await make.person({ email: target });
  let password = PASSWORD;
  for (let i = 0; i < EMAIL_LINK_LIMITS.perWindow + 2; i += 1) {
    await squatter.api.accounts.changePassword({ currentPassword: password, password: `${NEW} ${i}` });
    password = `${NEW} ${i}`;
    await api.accounts.requestEmailChange({ email: victim.email });
    await runJobs(runtime, 'accounts.send-email-change', (job, jobCtx) => queueEmailChange(jobCtx, job));
  }

  const sent = (to: string, topic: string) => db.$count(outbox, and(eq(outbox.to, to), eq(outbox.topic, topic)));
  expect(await sent(target, 'password_changed')).toBe(EMAIL_LINK_LIMITS.perWindow);
  expect(await sent(victim.email, 'email_in_use')).toBe(EMAIL_LINK_LIMITS.perWindow);
  // the owner of a verified address gets every report of a change
  await verify({ id: squatter.id });
  await squatter.api.accounts.changePassword({ currentPassword: password, password: NEW });
  expect(await sent(target, 'password_changed')).toBe(EMAIL_LINK_LIMITS.perWindow + 1);
  expect(await sent(email, 'password_changed')).toBe(0);
});

test('a link to one new address never confirms another, however fast the change is replaced', async () => {
  const { id, email, api } = await make.person();
  const [mine, victims] = ['mine@mail.example', 'not.mine@mail.example'];
  await api.accounts.requestEmailChange({ email: mine });
  let replaced: Promise<unknown> | undefined;
  // the job has read the change and waits for the user's row
  await db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, id)).for('update');
    const job = queueEmailChange(ctx, { userId: id });
    await lockWaits(db);
    replaced = api.accounts.requestEmailChange({ email: victims });
    await Promise.race([replaced, lockWaits(db, 2)]);
    void job;
  });
  await replaced;
  await expect.poll(() => db.$count(outbox, eq(outbox.to, email))).toBeGreaterThan(1);

  await expect(
    api.accounts.confirmEmailChange({ token: await lastToken(mine, 'confirm_new_email'), side: 'new' }),
  ).toFailWith('account.link_expired');
});

test('a link to set a password is worthless once the address has changed', async () => {
  const person = await make.person();
  const link = await resetLinkOf(person);
  const fresh = `moved${person.id}@mail.example`;
  await person.api.accounts.requestEmailChange({ email: fresh });
  await runJobs(runtime, 'accounts.send-email-change', (job, jobCtx) => queueEmailChange(jobCtx, job));
  const confirm = async (side: 'old' | 'new', to: string) =>
    person.api.accounts.confirmEmailChange({ side, token: await lastToken(to, `confirm_${side}_email`) });
  await confirm('old', person.email);
  await confirm('new', fresh);

  await expect(visitor.accounts.resetPassword({ token: link, password: NEW })).toFailWith('account.link_expired');
});

test('an undo that commits while the deletion begins keeps the account whole', async () => {
  const person = await make.person();
  await dueNow(person);
  let deleting: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await tx.update(users).set({ deletionDueAt: null }).where(eq(users.id, person.id));
    deleting = deleteDueAccount(ctx, { userId: person.id });
    await lockWaits(db);
  });
  await deleting;

  expect(await rowOf(person)).toMatchObject({ email: person.email, deletedAt: null });
  expect((await visitor.accounts.logIn({ email: person.email, password: PASSWORD })).user.id).toBe(person.id);
});

test('an attacker who logs in between two steps of a deletion is logged out after the last one', async () => {
  const person = await make.person();
  await dueNow(person);
  let late: { token: string } | undefined;
  const slow = new Proxy(storage, {
    get: (target, name) =>
      name === 'list'
        ? async (...args: Parameters<typeof target.list>) => {
            await leaveWaysIn(person);
            late = await runtime.sessions.start(person.id, { channel: 'web', userAgent: '', country: null });
            return target.list(...args);
          }
        : Reflect.get(target, name),
  });
  await deleteDueAccount({ ...ctx, ports: { ...ctx.ports, storage: slow } }, { userId: person.id });

  expect((await rowOf(person)).deletedAt).not.toBeNull();
  expect(await db.$count(sessions, eq(sessions.userId, person.id))).toBe(0);
  expect(await waysIn(person)).toEqual([0, 0, 0, 0, 0]);
  await expect((await as(late!)).accounts.me()).toFailWith('common.unauthenticated');
});

test('no archive outlives its export: not after a crash before the email, nor after the account', async () => {
  const [failed, deleted, late] = [await make.person(), await make.person(), await make.person()];
  const keys: string[] = [];
  for (const person of [failed, deleted, late]) {
    await person.api.accounts.requestExport();
    const [row] = await db.select().from(accountExports).where(eq(accountExports.userId, person.id));
    keys.push(`exports/${row!.id}.zip`);
    await storage.put(keys.at(-1)!, Readable.from(['archive']), { contentType: 'application/zip' });
  }
  // the third export's job was killed, and runs again after the account was deleted
  await db.delete(accountExports).where(eq(accountExports.userId, late.id));
  await buildExport(ctx, { exportId: keys[2]!.slice('exports/'.length, -'.zip'.length) });
  await dueNow(deleted);
  await deleteDueAccount(ctx, { userId: deleted.id });
  await runJobs(runtime, 'media.remove-objects', ({ keys: unused }: { keys: string[] }, jobCtx) =>
    deleteStoredObjects(jobCtx, unused),
  );
  await sweepExports({ ...ctx, now: () => later(clock.now, HOURS(13)) });

  expect(await Promise.all(keys.map((key) => storage.head(key)))).toEqual([null, null, null]);
  expect(await db.$count(outbox, like(outbox.text, `%${keys[0]}%`))).toBe(0);
});

test('deleting an account with a victim’s unverified address leaves what belongs to the address alone', async () => {
  const { podcast } = staged;
  const [squatter, owner] = [await make.person(), await make.person()];
  await verify(owner);
  const message = { name: 'V', subject: 'Question', text: 'T', language: 'en', threadId: randomUUID() } as const;
  for (const { email } of [squatter, owner]) {
    await db.insert(contactMessages).values({ ...message, email });
    await db.insert(episodeEmailOptOuts).values({ email, productId: podcast.id });
  }
  const held = async ({ email }: Person) =>
    Promise.all([
      db.$count(contactMessages, eq(contactMessages.email, email)),
      db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.email, email)),
    ]);

  for (const person of [squatter, owner]) {
    await dueNow(person);
    await deleteDueAccount(ctx, { userId: person.id });
  }

  expect([await held(squatter), await held(owner)]).toEqual([
    [1, 1],
    [0, 0],
  ]);
});
