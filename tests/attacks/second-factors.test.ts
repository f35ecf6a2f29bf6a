import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions } from '~/db/schema/accounts';
import { loginChallenges } from '~/db/schema/logins';
import { outbox } from '~/db/schema/notifications';
import { TOTP, totpCode, totpStepAt } from '~/server/auth/totp';
import { later } from '~/server/base/time';
import { requireSecondFactor } from '~/server/domain/accounts/second-factors/second-factor';
import type { LimitName } from '~/server/flow/rate-limits';
import { SECOND_FACTOR_LIMITS } from '~/server/limits/accounts';
import { LOGIN_LIMITS, RATE_LIMITS } from '~/server/limits/http';
import '../support/matchers';
import { browser } from '../support/browser';
import { cast } from '../support/cast';
import { legacyClient, stringOf } from '../support/legacy';
import { PASSWORD } from '../support/make';
import { type Guarded, protect } from '../support/second-factors';

const opened = await cast();
const { runtime, clock, make, as, ctxOf } = opened;
const rest = legacyClient(opened);

const guarded = () => protect(opened);
const next = () => {
  clock.now = later(clock.now, TOTP.step);
};
const codeOf = ({ secret }: Guarded) => totpCode(secret, totpStepAt(clock.now));
const wrongOf = (person: Guarded) => String((Number(codeOf(person)) + 1) % 1_000_000).padStart(TOTP.digits, '0');

/** Submits the password step in a browser. @returns the cookies after it */
async function passwordStep({ email }: Guarded, jar: Record<string, string> = {}) {
  const { api, cookies } = await browser(runtime, jar);
  await expect(api.accounts.logIn({ email, password: PASSWORD })).toFailWith('account.second_factor_required');
  return { ...jar, ...cookies() };
}
const codeStep = async (jar: Record<string, string>, code: string) =>
  (await browser(runtime, jar)).api.accounts.finishLogIn({ code });

test('a code is accepted once within its window, also of two at the same time', async () => {
  const person = await guarded();
  next();
  const code = codeOf(person);
  const jars = [await passwordStep(person), await passwordStep(person), await passwordStep(person)];

  const both = await Promise.allSettled(jars.slice(0, 2).map((jar) => codeStep(jar, code)));

  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(codeStep(jars[2]!, code)).toFailWith('account.wrong_code');
});

test('a recovery code works once, also of two at the same time, and only for its own account', async () => {
  const [person, other] = [await guarded(), await guarded()];
  const [code] = person.recoveryCodes;
  const jars = [await passwordStep(person), await passwordStep(person), await passwordStep(person)];
  await expect(codeStep(await passwordStep(other), code!)).toFailWith('account.wrong_code');

  const both = await Promise.allSettled(jars.slice(0, 2).map((jar) => codeStep(jar, ` ${code!.toUpperCase()} `)));

  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(codeStep(jars[2]!, code!)).toFailWith('account.wrong_code');
  const { recoveryCodesLeft } = await person.api.accounts.secondFactor();
  expect(recoveryCodesLeft).toBe(SECOND_FACTOR_LIMITS.recoveryCodes - 1);
});

test('after five wrong codes the login starts again, the owner is warned, and can still log in', async () => {
  const person = await guarded();
  const jar = await passwordStep(person);
  for (let i = 0; i < SECOND_FACTOR_LIMITS.attempts; i += 1) {
    await expect(codeStep(jar, wrongOf(person))).toFailWith('account.wrong_code');
  }
  next();

  await expect(codeStep(jar, codeOf(person))).toFailWith('account.log_in_expired');

  const mails = await runtime.db.select().from(outbox).where(eq(outbox.to, person.email)).orderBy(outbox.createdAt);
  expect(mails.filter(({ topic }) => topic === 'wrong_codes')).toHaveLength(1);
  expect((await codeStep(await passwordStep(person), codeOf(person))).user.id).toBe(person.id);
});

const fill = async (name: LimitName, key: string, calls: number) => {
  for (let i = 0; i < calls; i += 1) await runtime.rateLimits.add(name, key);
};

test('guessing through ever new logins from one network gets one guess per pace', async () => {
  const person = await guarded();
  await fill('logInPair', `203.0.113.0/24 code ${person.email}`, LOGIN_LIMITS.slowFrom);
  const jars = [await passwordStep(person), await passwordStep(person)];

  await expect(codeStep(jars[0]!, wrongOf(person))).toFailWith('account.wrong_code');

  await expect(codeStep(jars[1]!, codeOf(person))).toFailWith('common.too_many_requests');
});

test('many networks that guess one account’s codes share a pace; its owner has a known device or a recovery code', async () => {
  const person = await guarded();
  next();
  const known = await browser(runtime, await passwordStep(person));
  await known.api.accounts.finishLogIn({ code: codeOf(person) });
  const { device } = known.cookies();
  const newDevices = () => runtime.db.$count(outbox, and(eq(outbox.to, person.email), eq(outbox.topic, 'new_device')));
  expect(await newDevices()).toBe(1);
  await fill('logInAccount', `code ${person.email}`, RATE_LIMITS.logInAccount.points);
  await expect(codeStep(await passwordStep(person), wrongOf(person))).toFailWith('account.wrong_code');
  next();

  await expect(codeStep(await passwordStep(person), codeOf(person))).toFailWith('common.too_many_requests');

  const onDevice = await codeStep(await passwordStep(person, { device: device! }), codeOf(person));
  expect(await newDevices()).toBe(1);
  const elsewhere = await codeStep(await passwordStep(person), person.recoveryCodes[0]!);
  expect([onDevice.user.id, elsewhere.user.id]).toEqual([person.id, person.id]);
});

test('the password step opens no session, and its token is worth nothing elsewhere', async () => {
  const person = await guarded();
  const before = await runtime.db.$count(sessions, eq(sessions.userId, person.id));

  const jar = await passwordStep(person);

  expect(Object.keys(jar)).toEqual(['login']);
  expect(await runtime.db.$count(sessions, eq(sessions.userId, person.id))).toBe(before);
  await expect((await browser(runtime, jar)).api.accounts.me()).toFailWith('common.unauthenticated');
  await expect((await browser(runtime, { token: jar.login! })).api.accounts.me()).toFailWith('common.unauthenticated');
  expect((await rest.get('auth/user/', { token: jar.login! })).status).toBe(401);
  const answer = { token: jar.login!, response: { id: 'unknown' } };
  await expect((await browser(runtime)).api.accounts.logInWithPasskey(answer)).toFailWith('account.passkey_rejected');
  await expect((await browser(runtime)).api.accounts.finishLogIn({ code: codeOf(person) })).toFailWith(
    'account.log_in_expired',
  );
});

test('a login that waits for its code expires, and finishes once', async () => {
  const person = await guarded();
  const [expired, finished] = [await passwordStep(person), await passwordStep(person)];
  next();
  await codeStep(finished, codeOf(person));
  next();
  await expect(codeStep(finished, codeOf(person))).toFailWith('account.log_in_expired');

  clock.now = later(clock.now, SECOND_FACTOR_LIMITS.pendingFor);

  await expect(codeStep(expired, codeOf(person))).toFailWith('account.log_in_expired');
  expect(await runtime.db.$count(loginChallenges, eq(loginChallenges.userId, person.id))).toBe(1);
});

test('a session that an attacker planted ends with the login, whose token is new', async () => {
  const [person, attacker] = [await guarded(), await make.person()];
  const jar = await passwordStep(person, { token: attacker.token });
  next();

  const { token } = await codeStep(jar, codeOf(person));

  expect(token).not.toBe(attacker.token);
  expect(await runtime.sessions.read(attacker.token)).toBeNull();
  expect(await runtime.sessions.read(token)).toMatchObject({ userId: person.id });
  const invented = await codeStep(await passwordStep(person, { token: 'invented' }), person.recoveryCodes[0]!);
  expect(invented.token).not.toBe('invented');
});

test('REST gives no token by the password alone: it names the field for the code, and takes each code once', async () => {
  const person = await guarded();
  next();
  const logIn = (code?: string) =>
    rest.post('auth/login/', { json: { email: person.email, password: PASSWORD, code } });

  const [none, wrong, right, again] = [
    await logIn(),
    await logIn(wrongOf(person)),
    await logIn(codeOf(person)),
    await logIn(codeOf(person)),
  ];

  expect([none.status, none.body]).toEqual([
    400,
    { code: ['Enter the code from your authenticator app or one of your recovery codes.'] },
  ]);
  expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ['code']]);
  expect((await rest.get('auth/user/', { token: stringOf(right.body.key) })).body.pk).toBe(person.id);
  expect(again.status).toBe(400);
});

test('the payout address and payouts ask for the second factor in each session, and again after ten minutes', async () => {
  const [person, unprotected] = [await guarded(), await make.person()];
  const { token } = await runtime.sessions.start(person.id, { channel: 'web', userAgent: '', country: null });
  const actor = { type: 'user' as const, userId: person.id, creatorId: null, role: 'owner' as const, sessionId: token };
  const ctx = { ...ctxOf(person), actor };
  const api = await as({ token });
  const change = { paypalEmail: 'new@mail.example', currentPassword: PASSWORD };
  next();

  await expect(api.accounts.updatePayoutAddress(change)).toFailWith('account.second_factor_required');
  await expect(requireSecondFactor(ctx, {})).toFailWith('account.second_factor_required');
  await expect(requireSecondFactor(ctx, { code: wrongOf(person) })).toFailWith('account.wrong_code');
  await api.accounts.updatePayoutAddress({ ...change, code: codeOf(person) });
  await requireSecondFactor(ctx, {});
  clock.now = later(clock.now, SECOND_FACTOR_LIMITS.confirmedFor);
  await expect(requireSecondFactor(ctx, {})).toFailWith('account.second_factor_required');

  await requireSecondFactor(ctxOf(unprotected), {});
});
