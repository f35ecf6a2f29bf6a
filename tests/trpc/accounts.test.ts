import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions, users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later } from '~/server/base/time';
import { deliverEmail } from '~/server/domain/notifications/deliver-email';
import '../support/matchers';
import { cast } from '../support/cast';
import { runJobs } from '../support/run-jobs';

const { runtime, clock, inbox, as, visitor, make, lucia } = await cast();
const ana = {
  name: 'Ana',
  email: 'ana.b@mail.example',
  password: 'correct horse',
  country: 'ES',
  language: 'es' as const,
  terms: true,
};

/** Delivers all waiting emails and returns the newest one to an address. */
async function latestEmail(to: string) {
  await runJobs(runtime, 'notifications.deliver', (job, ctx) => deliverEmail(ctx, job));
  const [mail] = await inbox!.list(to);
  return mail!;
}

let anasSession = '';

test('signing up opens a session and sends a verification email in the user’s language', async () => {
  const { token, user } = await visitor.accounts.signUp(ana);

  anasSession = token;

  expect(user).toMatchObject({ email: ana.email, currency: 'eur', type: 'listener', isEmailVerified: false });
  const [session] = await runtime.db.select().from(sessions).where(eq(sessions.userId, user.id));
  expect(session!.id).not.toBe(token);
  const mail = await latestEmail(ana.email);
  expect(mail).toMatchObject({ subject: 'Verifica tu correo electrónico' });
  expect(mail.text).toMatch(/http:\/\/altavoz\.localhost:3000\/es\/verify-email\?token=\S+/);
});

test('the link in the email verifies the address, also when clicked twice', async () => {
  const link = /token=(\S+)/.exec((await latestEmail(ana.email)).text)![1]!;

  expect(await (await as({ token: anasSession })).accounts.verifyEmail({ token: link })).toEqual({ email: ana.email });
  expect(await visitor.accounts.verifyEmail({ token: link })).toEqual({ email: ana.email });

  const [row] = await runtime.db.select().from(users).where(eq(users.email, ana.email));
  expect(row!.emailVerifiedAt).not.toBeNull();
});

test('a new verification link is sent only to an unverified address', async () => {
  const unverified = await make.person();
  const verified = await make.person();
  await runtime.db.update(users).set({ emailVerifiedAt: runtime.now() }).where(eq(users.id, verified.id));

  for (const { api } of [unverified, verified]) await api.accounts.resendVerification();

  const emailsTo = ({ email }: { email: string }) => runtime.db.$count(outbox, eq(outbox.to, email));
  expect([await emailsTo(unverified), await emailsTo(verified)]).toEqual([2, 1]);
});

test('a link expires after two days, and an unknown one never works', async () => {
  const bea = await make.person();
  const link = /token=(\S+)/.exec((await latestEmail(bea.email)).text)![1]!;
  const start = runtime.now();
  clock.now = later(start, DAYS(3));

  await expect(visitor.accounts.verifyEmail({ token: link })).toFailWith('account.link_expired');
  await expect(visitor.accounts.verifyEmail({ token: 'x' })).toFailWith('account.link_expired');
  clock.now = start;
});

test('an email address can sign up once, whatever its letter case', async () => {
  const mails = await runtime.db.$count(outbox);

  await expect(visitor.accounts.signUp({ ...ana, email: 'ANA.B@mail.example' })).toFailWith('account.email_taken');

  expect(await runtime.db.$count(outbox)).toBe(mails);
});

test('two concurrent sign-ups with one address create one account', async () => {
  const twice = { ...ana, email: 'twice@mail.example' };

  const outcomes = await Promise.allSettled([visitor.accounts.signUp(twice), visitor.accounts.signUp(twice)]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('children under 13 can’t sign up', async () => {
  const child = { ...ana, email: 'kid@mail.example', birthDate: '2014-03-02' };

  await expect(visitor.accounts.signUp(child)).toFailWith('account.too_young');
  await expect(visitor.accounts.signUp({ ...child, birthDate: '2013-03-02' })).resolves.toBeTruthy();
});

test('a wrong password and an unknown address give the same error', async () => {
  await expect(visitor.accounts.logIn({ email: ana.email, password: 'wrong' })).toFailWith('account.wrong_credentials');
  await expect(visitor.accounts.logIn({ email: 'no@mail.example', password: 'wrong' })).toFailWith(
    'account.wrong_credentials',
  );
});

test('logging out ends only the current session', async () => {
  const first = await visitor.accounts.logIn({ email: ana.email, password: ana.password });
  const second = await visitor.accounts.logIn({ email: ana.email, password: ana.password });

  await (await as(first)).accounts.logOut();

  await expect((await as(first)).accounts.me()).toFailWith('common.unauthenticated');
  await expect((await as(second)).accounts.me()).resolves.toMatchObject({ email: ana.email });
});

test('the currency follows the country, and consent is stored with its time', async () => {
  const { api, id } = await make.person();

  const changed = await api.accounts.update({ country: 'us', consentsToMarketingEmails: true });

  expect(changed).toMatchObject({ country: 'US', currency: 'usd' });
  const [row] = await runtime.db.select().from(users).where(eq(users.id, id));
  expect(row!.marketingConsentedAt).toEqual(runtime.now());
});

test('a visitor can’t read or change an account', async () => {
  await expect(visitor.accounts.me()).toFailWith('common.unauthenticated');
  await expect(visitor.accounts.update({ country: 'US' })).toFailWith('common.unauthenticated');
  await expect(visitor.accounts.logOut()).toFailWith('common.unauthenticated');
  await expect(visitor.accounts.resendVerification()).toFailWith('common.unauthenticated');
});

test('a failed delivery keeps the email and its reason for the next attempt', async () => {
  await make.person();
  const failingMail = {
    ...runtime,
    ports: {
      ...runtime.ports,
      mail: { ...runtime.ports.mail, send: () => Promise.reject(new Error('connection refused')) },
    },
  };

  await runJobs(failingMail, 'notifications.deliver', (job, ctx) => deliverEmail(ctx, job));

  const [row] = await runtime.db.select().from(outbox).where(eq(outbox.failure, 'connection refused'));
  expect(row).toMatchObject({ attempts: 1, sentAt: null, failedAt: null });
});

test('tracking gets nothing that names or describes the person', async () => {
  const { user } = await (await as(lucia)).accounts.trackingData();

  expect(Object.keys(user!).sort()).toEqual(
    ['id', 'country', 'currency', 'isEmailVerified', 'type', 'trial', 'plan', 'creator'].sort(),
  );
  expect(user!.creator).toEqual({ id: lucia.creatorId });
});
