import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { authenticators, identities, passkeys } from '~/db/schema/logins';
import { outbox } from '~/db/schema/notifications';
import { totpCode, totpStepAt } from '~/server/auth/totp';
import { later } from '~/server/base/time';
import { PASSKEY_LIMITS, SECOND_FACTOR_LIMITS } from '~/server/limits/accounts';
import '../support/matchers';
import { browser } from '../support/browser';
import { cast } from '../support/cast';
import { PASSWORD, type Person } from '../support/make';
import { protect, secretOf } from '../support/second-factors';
import { softwarePasskey } from '../support/software-passkey';

const opened = await cast();
const { runtime, clock, as, make } = opened;
const origin = opened.env.urls.appUrl;

const topicsTo = async ({ email }: { email: string }) =>
  (await runtime.db.select().from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt))
    .map(({ topic }) => topic)
    .filter((topic) => topic !== 'verify_email' && topic !== 'new_device');

/** A user with a passkey, who may now change second factors. */
async function withPasskey() {
  const person = await make.person();
  const key = softwarePasskey();
  await person.api.accounts.confirmIdentity({ confirmationPassword: PASSWORD });
  const { token, options } = await person.api.accounts.startPasskey();
  const { recoveryCodes } = await person.api.accounts.addPasskey({ token, response: key.create({ origin, options }) });
  return { ...person, key, recoveryCodes: recoveryCodes! };
}

async function logInWith(key: ReturnType<typeof softwarePasskey>, from = origin) {
  const { api } = await browser(runtime);
  const { token, options } = await api.accounts.startPasskeyLogIn();
  return api.accounts.logInWithPasskey({ token, response: JSON.stringify(key.get({ origin: from, options })) });
}

const otherSession = async ({ id }: Person) => {
  const { token } = await runtime.sessions.start(id, { channel: 'web', userAgent: '', country: null });
  return as({ token });
};

test('an app is set up with the password and its first code; both tell the owner', async () => {
  const person = await make.person();
  const { accounts } = person.api;
  await expect(accounts.startAuthenticator()).toFailWith('account.confirmation_required');
  await expect(accounts.confirmIdentity({ confirmationPassword: 'wrong' })).toFailWith('account.wrong_password');
  await accounts.confirmIdentity({ confirmationPassword: PASSWORD });
  await accounts.startAuthenticator();

  const { isOn, setUp } = await accounts.secondFactor();
  const secret = await secretOf(runtime, person.id);
  await expect(accounts.confirmAuthenticator({ code: '12' })).toFailWith('account.wrong_code');
  const done = await accounts.confirmAuthenticator({ code: totpCode(secret, totpStepAt(clock.now)) });

  expect([isOn, setUp?.secret.replaceAll(' ', ''), setUp?.uri]).toEqual([
    false,
    secret,
    expect.stringContaining(secret),
  ]);
  expect(Buffer.from(setUp!.qrCode.split(',')[1]!, 'base64').toString()).toMatch(/^<svg.*<\/svg>$/s);
  expect(done.recoveryCodes).toHaveLength(SECOND_FACTOR_LIMITS.recoveryCodes);
  expect(await accounts.secondFactor()).toMatchObject({ isOn: true, setUp: null, recoveryCodesLeft: 10 });
  expect(await topicsTo(person)).toEqual(['authenticator_added']);
  await expect(accounts.startAuthenticator()).toFailWith('account.authenticator_exists');
  const [row] = await runtime.db.select().from(authenticators).where(eq(authenticators.userId, person.id));
  expect(row!.secret).not.toContain(secret);
});

test('other sessions must prove the second factor, not the password, before a change', async () => {
  const person = await make.person();
  const other = await otherSession(person);
  await other.accounts.confirmIdentity({ confirmationPassword: PASSWORD });
  const guarded = await protect({ runtime, make: { person: async () => person } });

  await expect(other.accounts.removeAuthenticator()).toFailWith('account.confirmation_required');
  await expect(other.accounts.confirmIdentity({ confirmationPassword: PASSWORD })).toFailWith(
    'account.second_factor_required',
  );
  expect((await other.accounts.secondFactor()).missingProof).toBe('second_factor');
  await other.accounts.confirmIdentity({ code: guarded.recoveryCodes[0]! });
  await other.accounts.removeAuthenticator();

  expect(await other.accounts.secondFactor()).toMatchObject({ isOn: false, recoveryCodesLeft: 0 });
  expect(await topicsTo(person)).toEqual(['authenticator_added', 'authenticator_removed']);
  const { api } = await browser(runtime);
  expect((await api.accounts.logIn({ email: person.email, password: PASSWORD })).user.id).toBe(person.id);
});

test('new recovery codes replace the old ones', async () => {
  const person = await protect(opened);
  const old = person.recoveryCodes[0]!;

  const { recoveryCodes } = await person.api.accounts.replaceRecoveryCodes();

  const other = await otherSession(person);
  await expect(other.accounts.confirmIdentity({ code: old })).toFailWith('account.wrong_code');
  await other.accounts.confirmIdentity({ code: recoveryCodes![0]! });
  expect(new Set([...recoveryCodes!, ...person.recoveryCodes]).size).toBe(20);
});

test('a passkey alone logs in, is a second factor after the password, and confirms changes', async () => {
  const person = await withPasskey();
  expect(person.recoveryCodes).toHaveLength(SECOND_FACTOR_LIMITS.recoveryCodes);

  const { token, user } = await logInWith(person.key);

  expect(user.id).toBe(person.id);
  expect((await (await as({ token })).accounts.secondFactor()).missingProof).toBeNull();
  const { api } = await browser(runtime);
  await expect(api.accounts.logIn({ email: person.email, password: PASSWORD })).toFailWith(
    'account.second_factor_required',
  );
  const other = await otherSession(person);
  const confirmation = await other.accounts.startPasskeyConfirmation();
  const response = person.key.get({ origin, options: confirmation.options });
  await other.accounts.confirmWithPasskey({ token: confirmation.token, response });
  expect((await other.accounts.secondFactor()).missingProof).toBeNull();
});

test('passkeys are listed, renamed and deleted by their owner only, who is told', async () => {
  const [person, stranger] = [await withPasskey(), await withPasskey()];
  const { id } = person.key;
  await expect(stranger.api.accounts.renamePasskey({ id, name: 'Mine' })).toFailWith('account.passkey_not_found');
  await stranger.api.accounts.deletePasskey({ id });
  await person.api.accounts.renamePasskey({ id, name: 'Laptop' });
  await logInWith(person.key);

  const { passkeys: listed } = await person.api.accounts.secondFactor();
  await person.api.accounts.deletePasskey({ id });

  expect(listed).toEqual([{ id, name: 'Laptop', createdAt: clock.now, lastUsedAt: clock.now }]);
  expect(await person.api.accounts.secondFactor()).toMatchObject({ isOn: false, passkeys: [], recoveryCodesLeft: 0 });
  expect(await topicsTo(person)).toEqual(['passkey_added', 'passkey_removed']);
  await expect(logInWith(person.key)).toFailWith('account.passkey_rejected');
});

test('the last way to log in to an account without a password stays', async () => {
  const person = await withPasskey();
  await runtime.db.update(users).set({ passwordHash: null }).where(eq(users.id, person.id));

  await expect(person.api.accounts.deletePasskey({ id: person.key.id })).toFailWith('account.passkey_needed');

  expect((await logInWith(person.key)).user.id).toBe(person.id);
  await runtime.db.insert(identities).values({ userId: person.id, provider: 'google', subject: 'a', email: null });
  await person.api.accounts.deletePasskey({ id: person.key.id });
});

test('a passkey from another origin or for another site is refused, at a login and when it is added', async () => {
  const person = await withPasskey();
  const foreign = softwarePasskey('altavoz.localhost.evil.example');
  const evil = 'https://altavoz.localhost.evil.example';
  const added = async (key: ReturnType<typeof softwarePasskey>, from: string) => {
    const { token, options } = await person.api.accounts.startPasskey();
    return person.api.accounts.addPasskey({ token, response: key.create({ origin: from, options }) });
  };

  await expect(logInWith(person.key, evil)).toFailWith('account.passkey_rejected');
  await expect(logInWith(person.key, origin.replace('http:', 'https:'))).toFailWith('account.passkey_rejected');
  await expect(added(softwarePasskey(), evil)).toFailWith('account.passkey_rejected');
  await expect(added(foreign, origin)).toFailWith('account.passkey_rejected');

  expect(await runtime.db.$count(passkeys, eq(passkeys.userId, person.id))).toBe(1);
});

test('a challenge works once, for its purpose and its user, and for five minutes', async () => {
  const [person, other] = [await withPasskey(), await withPasskey()];
  const { api } = await browser(runtime);
  const used = await api.accounts.startPasskeyLogIn();
  const answer = { token: used.token, response: person.key.get({ origin, options: used.options }) };
  const both = await Promise.allSettled([api.accounts.logInWithPasskey(answer), api.accounts.logInWithPasskey(answer)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);

  const confirmation = await person.api.accounts.startPasskeyConfirmation();
  const wrongPurpose = {
    token: confirmation.token,
    response: person.key.get({ origin, options: confirmation.options }),
  };
  await expect(api.accounts.logInWithPasskey(wrongPurpose)).toFailWith('account.passkey_rejected');
  await expect(other.api.accounts.confirmWithPasskey(wrongPurpose)).toFailWith('account.passkey_rejected');
  const own = await other.api.accounts.startPasskeyConfirmation();
  const foreignKey = { token: own.token, response: person.key.get({ origin, options: own.options }) };
  await expect(other.api.accounts.confirmWithPasskey(foreignKey)).toFailWith('account.passkey_rejected');

  const late = await api.accounts.startPasskeyLogIn();
  clock.now = later(clock.now, PASSKEY_LIMITS.challengeFor);
  const lateAnswer = { token: late.token, response: person.key.get({ origin, options: late.options }) };
  await expect(api.accounts.logInWithPasskey(lateAnswer)).toFailWith('account.passkey_rejected');
});

test('a copied passkey is refused once its counter falls behind, and no passkey is added twice', async () => {
  const person = await withPasskey();
  await logInWith(person.key);
  await runtime.db.update(passkeys).set({ counter: 1000 }).where(eq(passkeys.id, person.key.id));

  await expect(logInWith(person.key)).toFailWith('account.passkey_rejected');

  const { token, options } = await person.api.accounts.startPasskey();
  await expect(person.api.accounts.addPasskey({ token, response: person.key.create({ origin, options }) })).toFailWith(
    'account.passkey_exists',
  );
});
