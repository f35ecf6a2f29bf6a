import { and, desc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { later, MINUTES } from '~/server/base/time';
import { EMAIL_CODE_LIMITS } from '~/server/limits/accounts';
import '../../../support/matchers';
import { cast } from '../../../support/cast';

const { runtime, clock, make, as } = await cast();
const { db } = runtime;

/** A person whose address is not verified, and the code of the email that they have just asked for. */
async function unverified() {
  const person = await make.person();
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, person.id));
  // the email of the sign-up is older
  clock.now = later(clock.now, MINUTES(1));
  const api = await as(person);
  await api.accounts.resendVerification();
  return { ...person, api, code: await codeFor(person.email) };
}

async function codeFor(to: string): Promise<string> {
  const [email] = await db
    .select({ text: outbox.text })
    .from(outbox)
    .where(and(eq(outbox.to, to), eq(outbox.topic, 'verify_email')))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(1);
  return /code: (\d{6})/.exec(email!.text)![1]!;
}

async function isVerified({ id }: { id: number }): Promise<boolean> {
  const [row] = await db.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, id));
  return row!.at !== null;
}

/** Another code of six digits. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

test('the code of the email verifies the address, with spaces, and repeating it is harmless', async () => {
  const person = await unverified();

  await person.api.accounts.verifyByCode({ code: `${person.code.slice(0, 3)} ${person.code.slice(3)}` });
  await person.api.accounts.verifyByCode({ code: person.code });

  expect(await isVerified(person)).toBe(true);
});

test('a code belongs to one account, and ends after minutes', async () => {
  const [person, other] = [await unverified(), await unverified()];
  if (person.code === other.code) return;

  await expect(other.api.accounts.verifyByCode({ code: person.code })).toFailWith('account.email_code_wrong');
  await expect(person.api.accounts.verifyByCode({ code: 'abcdef' })).toFailWith('account.email_code_wrong');
  clock.now = later(clock.now, EMAIL_CODE_LIMITS.lifetime + MINUTES(1));
  await expect(person.api.accounts.verifyByCode({ code: person.code })).toFailWith('account.email_code_expired');

  expect(await isVerified(person)).toBe(false);
});

test('a new code ends the one before', async () => {
  const person = await unverified();
  clock.now = later(clock.now, MINUTES(1));
  await person.api.accounts.resendVerification();
  const second = await codeFor(person.email);

  if (second !== person.code)
    await expect(person.api.accounts.verifyByCode({ code: person.code })).toFailWith('account.email_code_wrong');
  await person.api.accounts.verifyByCode({ code: second });

  expect(await isVerified(person)).toBe(true);
});

test('concurrent wrong codes are counted one after the other, and end the code', async () => {
  const person = await unverified();
  const guesses = Array.from({ length: 12 }, (_, i) => wrong(person.code, i + 1));

  const answers = await Promise.allSettled(guesses.map((code) => person.api.accounts.verifyByCode({ code })));
  const codes = answers.map((answer) => (answer.status === 'rejected' ? String(answer.reason.message) : 'verified'));

  expect(codes.filter((code) => code === 'account.email_code_wrong')).toHaveLength(EMAIL_CODE_LIMITS.attempts);
  await expect(person.api.accounts.verifyByCode({ code: person.code })).toFailWith('account.email_code_expired');
  expect(await isVerified(person)).toBe(false);
});

test('an account has few wrong codes a day, however many codes it gets', async () => {
  const person = await unverified();
  const sent = and(eq(outbox.to, person.email), eq(outbox.topic, 'verify_email'));
  const guessAll = async (code: string) => {
    for (let i = 1; i <= EMAIL_CODE_LIMITS.attempts; i += 1)
      await person.api.accounts.verifyByCode({ code: wrong(code, i) }).catch(() => {});
  };
  await guessAll(person.code);
  for (let more = 0; more < 2; more += 1) {
    // as if the limit of emails were larger
    await db.delete(outbox).where(sent);
    clock.now = later(clock.now, MINUTES(1));
    await person.api.accounts.resendVerification();
    await guessAll(await codeFor(person.email));
  }
  await db.delete(outbox).where(sent);
  clock.now = later(clock.now, MINUTES(1));
  await person.api.accounts.resendVerification();
  const last = await codeFor(person.email);

  await expect(person.api.accounts.verifyByCode({ code: last })).toFailWith('account.email_code_expired');
  clock.now = later(clock.now, EMAIL_CODE_LIMITS.kept);
  await db.delete(outbox).where(sent);
  await person.api.accounts.resendVerification();
  await person.api.accounts.verifyByCode({ code: await codeFor(person.email) });
  expect(await isVerified(person)).toBe(true);
});

test('an unverified address gets three emails a day, and the next request is refused', async () => {
  const person = await unverified();
  await person.api.accounts.resendVerification();

  await expect(person.api.accounts.resendVerification()).toFailWith('account.enough_verification_emails');
});
