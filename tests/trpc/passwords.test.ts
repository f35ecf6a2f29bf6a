import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions, users } from '~/db/schema/accounts';
import { oauthClients, oauthGrants } from '~/db/schema/apps';
import { passkeys } from '~/db/schema/logins';
import { outbox } from '~/db/schema/notifications';
import { DAYS, HOURS, later } from '~/server/base/time';
import { queuePasswordReset } from '~/server/domain/accounts/logins/passwords';
import { markConfirmed } from '~/server/domain/accounts/second-factors/second-factor';
import { EMAIL_LINK_LIMITS } from '~/server/limits/accounts';
import '../support/matchers';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';
import { runJobs } from '../support/run-jobs';
import { protect } from '../support/second-factors';

const { runtime, clock, as, visitor, make, ctxOf } = await cast();
const NEW = 'battery horse correct';

/** The tokens of all reset emails to an address. */
async function resetTokens({ email }: { email: string }): Promise<string[]> {
  await runJobs(runtime, 'accounts.send-password-reset', (job, ctx) => queuePasswordReset(ctx, job));
  const mails = await runtime.db.select().from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt);
  return mails.filter(({ topic }) => topic === 'reset_password').map(({ text }) => /token=(\S+)/.exec(text)![1]!);
}

async function forgetful() {
  const person = await make.person();
  await visitor.accounts.requestPasswordReset({ email: person.email });
  const [token] = await resetTokens(person);
  return { ...person, link: token! };
}

const logIn = (email: string, password: string) => visitor.accounts.logIn({ email, password });

test('the link in the email sets a new password once, ends all sessions and verifies the address', async () => {
  const person = await forgetful();
  expect(await visitor.accounts.passwordResetLink({ token: person.link })).toEqual({ isUsable: true });

  await visitor.accounts.resetPassword({ token: person.link, password: NEW });

  expect(await runtime.db.$count(sessions, eq(sessions.userId, person.id))).toBe(0);
  await expect((await as(person)).accounts.me()).toFailWith('common.unauthenticated');
  await expect(logIn(person.email, PASSWORD)).toFailWith('account.wrong_credentials');
  expect((await logIn(person.email, NEW)).user.isEmailVerified).toBe(true);
  expect(await visitor.accounts.passwordResetLink({ token: person.link })).toEqual({ isUsable: false });
  await expect(visitor.accounts.resetPassword({ token: person.link, password: PASSWORD })).toFailWith(
    'account.link_expired',
  );
});

test('one of two concurrent uses of a link sets the password', async () => {
  const person = await forgetful();
  const both = [NEW, `${NEW} 2`].map((password) => visitor.accounts.resetPassword({ token: person.link, password }));

  const settled = await Promise.allSettled(both);

  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a link expires after an hour, and a new password makes the other links worthless', async () => {
  const person = await forgetful();
  await visitor.accounts.requestPasswordReset({ email: person.email });
  const [, second] = await resetTokens(person);
  const start = clock.now;
  clock.now = later(start, HOURS(1));
  await expect(visitor.accounts.resetPassword({ token: person.link, password: NEW })).toFailWith(
    'account.link_expired',
  );
  clock.now = start;

  await visitor.accounts.resetPassword({ token: second!, password: NEW });

  await expect(visitor.accounts.resetPassword({ token: person.link, password: NEW })).toFailWith(
    'account.link_expired',
  );
});

test('an unknown address gets the same answer and no email, and a known one at most three a day', async () => {
  const person = await make.person();
  const ask = (email: string) => visitor.accounts.requestPasswordReset({ email });
  expect(await ask('nobody@mail.example')).toEqual(await ask(person.email));
  for (let i = 0; i < EMAIL_LINK_LIMITS.perWindow; i += 1) await ask(person.email);

  expect(await resetTokens({ email: 'nobody@mail.example' })).toEqual([]);
  expect(await resetTokens(person)).toHaveLength(EMAIL_LINK_LIMITS.perWindow);

  const start = clock.now;
  clock.now = later(start, DAYS(1));
  await ask(person.email);
  expect(await resetTokens(person)).toHaveLength(EMAIL_LINK_LIMITS.perWindow + 1);
  clock.now = start;
});

test('changing the password needs the current one, keeps this session and ends the others', async () => {
  const person = await make.person();
  const other = await logIn(person.email, PASSWORD);

  await expect(person.api.accounts.changePassword({ currentPassword: 'wrong', password: NEW })).toFailWith(
    'account.wrong_password',
  );
  await person.api.accounts.changePassword({ currentPassword: PASSWORD, password: NEW });

  expect((await (await as(person)).accounts.me()).id).toBe(person.id);
  await expect((await as(other)).accounts.me()).toFailWith('common.unauthenticated');
  expect((await logIn(person.email, NEW)).user.id).toBe(person.id);
  const [mail] = await runtime.db.select().from(outbox).where(eq(outbox.topic, 'password_changed'));
  expect(mail!.text).toContain('/login/forgot-password');
});

test('the email about a changed password names the keys and apps that still work', async () => {
  const owner = await make.creator();
  const create = (name: string) =>
    owner.api.developers.createKey({ name, scopes: ['shows:read'], currentPassword: PASSWORD });
  await create('Website');
  await owner.api.developers.revokeKey({ id: (await create('Revoked')).id });
  const app = { clientId: `app_${'1'.repeat(32)}`, name: 'Notes', redirectUris: [], createdAt: clock.now };
  const [{ id: appId } = { id: 0 }] = await runtime.db.insert(oauthClients).values(app).returning();
  const grant = { appId, creatorId: owner.creatorId, userId: owner.id, scopes: ['shows:read' as const] };
  await runtime.db.insert(oauthGrants).values({ ...grant, audience: 'mcp', createdAt: clock.now });

  await owner.api.accounts.changePassword({ currentPassword: PASSWORD, password: NEW });

  const sent = await runtime.db.select().from(outbox).where(eq(outbox.userId, owner.id)).orderBy(outbox.createdAt);
  const [mail] = sent.filter(({ topic }) => topic === 'password_changed');
  expect(mail!.text).toContain('Website, Notes.');
  expect(mail!.text).not.toContain('Revoked');
});

test('an account without a password can set one, and cannot log in with an empty one before', async () => {
  const person = await make.person();
  await runtime.db.update(users).set({ passwordHash: null }).where(eq(users.id, person.id));
  await expect(logIn(person.email, PASSWORD)).toFailWith('account.wrong_credentials');

  await person.api.accounts.changePassword({ password: NEW });

  expect((await logIn(person.email, NEW)).user.id).toBe(person.id);
});

test('an account with a second factor needs its code too, and a wrong password does not use the code up', async () => {
  const person = await protect({ runtime, make });
  await runtime.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.userId, person.id));
  const [code] = person.recoveryCodes;
  const change = (input: { currentPassword: string; code?: string }) =>
    person.api.accounts.changePassword({ ...input, password: NEW });

  await expect(change({ currentPassword: PASSWORD })).toFailWith('account.second_factor_required');
  await expect(change({ currentPassword: PASSWORD, code: 'aaaaaaaaaa' })).toFailWith('account.wrong_code');
  await expect(change({ currentPassword: 'wrong', code })).toFailWith('account.wrong_password');

  await expect(change({ currentPassword: PASSWORD, code })).resolves.toBeUndefined();
});

test('an account with a passkey and no password needs the passkey to set one', async () => {
  const person = await make.person();
  await runtime.db.update(users).set({ passwordHash: null }).where(eq(users.id, person.id));
  const key = { id: `key${person.id}`, name: 'Key', publicKey: '', counter: 0, transports: [] };
  await runtime.db.insert(passkeys).values({ ...key, userId: person.id });

  await expect(person.api.accounts.changePassword({ password: NEW })).toFailWith('account.confirmation_required');
  await markConfirmed(ctxOf(person), person.token);

  await expect(person.api.accounts.changePassword({ password: NEW })).resolves.toBeUndefined();
});
