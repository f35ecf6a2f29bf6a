import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later } from '~/server/base/time';
import { queueEmailChange } from '~/server/domain/accounts/settings/email-change';
import '../support/matchers';
import { cast } from '../support/cast';
import { PASSWORD, type Person } from '../support/make';
import { runJobs } from '../support/run-jobs';

const { runtime, clock, tom, visitor, make } = await cast();

const runChanges = () => runJobs(runtime, 'accounts.send-email-change', (job, ctx) => queueEmailChange(ctx, job));
const emailOf = async ({ id }: { id: number }) =>
  (await runtime.db.select().from(users).where(eq(users.id, id)))[0]!.email;

/** The token of the last email about a topic to an address. */
async function tokenIn(to: string, topic: string): Promise<string> {
  const mails = await runtime.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, to), eq(outbox.topic, topic)))
    .orderBy(outbox.createdAt);
  return /token=(\S+)/.exec(mails.at(-1)!.text)![1]!;
}

let count = 0;
async function changing(): Promise<{ person: Person; newEmail: string; old: string; new: string }> {
  const person = await make.person();
  count += 1;
  const newEmail = `new${count}@mail.example`;
  await person.api.accounts.requestEmailChange({ email: newEmail });
  await runChanges();
  const [old, fresh] = await Promise.all([
    tokenIn(person.email, 'confirm_old_email'),
    tokenIn(newEmail, 'confirm_new_email'),
  ]);
  return { person, newEmail, old, new: fresh };
}

test.each([
  ['old', 'new'],
  ['new', 'old'],
] as const)('the address changes when it is confirmed at both, %s first', async (first, second) => {
  const change = await changing();
  const { person, newEmail } = change;

  expect(await person.api.accounts.confirmEmailChange({ token: change[first], side: first })).toEqual({
    isDone: false,
  });
  expect(await emailOf(person)).toBe(person.email);
  expect(await person.api.accounts.emailChange()).toEqual({
    newEmail,
    isOldConfirmed: first === 'old',
    isNewConfirmed: first === 'new',
  });
  expect(await person.api.accounts.confirmEmailChange({ token: change[second], side: second })).toEqual({
    isDone: true,
  });

  expect(await person.api.accounts.me()).toMatchObject({ email: newEmail, isEmailVerified: true });
  expect(await person.api.accounts.emailChange()).toBeNull();
  expect((await visitor.accounts.logIn({ email: newEmail, password: PASSWORD })).user.id).toBe(person.id);
});

test('opening a link uses nothing up, a link works once, and only for its own side', async () => {
  const change = await changing();
  const link = { token: change.new, side: 'new' as const };
  for (let i = 0; i < 2; i += 1) {
    expect(await visitor.accounts.emailChangeLink(link)).toEqual({ newEmail: change.newEmail, mayConfirm: false });
  }
  await expect(visitor.accounts.confirmEmailChange({ ...link, side: 'old' })).toFailWith('account.link_expired');
  await change.person.api.accounts.confirmEmailChange(link);

  await expect(change.person.api.accounts.confirmEmailChange(link)).toFailWith('account.link_expired');
  await expect(visitor.accounts.emailChangeLink(link)).toFailWith('account.link_expired');
});

test('a second request, a cancellation and a day later make the links worthless', async () => {
  const replaced = await changing();
  await replaced.person.api.accounts.requestEmailChange({ email: 'other@mail.example' });
  await expect(replaced.person.api.accounts.confirmEmailChange({ token: replaced.new, side: 'new' })).toFailWith(
    'account.link_expired',
  );

  const cancelled = await changing();
  await cancelled.person.api.accounts.cancelEmailChange();
  for (const side of ['old', 'new'] as const) {
    await expect(visitor.accounts.emailChangeLink({ token: cancelled[side], side })).toFailWith('account.link_expired');
  }

  const late = await changing();
  const start = clock.now;
  clock.now = later(start, DAYS(1));
  await expect(late.person.api.accounts.confirmEmailChange({ token: late.new, side: 'new' })).toFailWith(
    'account.link_expired',
  );
  clock.now = start;
});

test('an address that has an account gets a notice, and the user sees no difference', async () => {
  const person = await make.person();
  const free = await person.api.accounts.requestEmailChange({ email: 'free@mail.example' });
  const taken = await person.api.accounts.requestEmailChange({ email: tom.email });
  await runChanges();

  expect(taken).toEqual(free);
  expect(await person.api.accounts.emailChange()).toMatchObject({ newEmail: tom.email });
  const topics = await runtime.db
    .select({ topic: outbox.topic })
    .from(outbox)
    .where(eq(outbox.to, tom.email))
    .orderBy(outbox.createdAt);
  expect(topics.map(({ topic }) => topic)).toContain('email_in_use');
  expect(topics.map(({ topic }) => topic)).not.toContain('confirm_new_email');
});

test('an address that signs up in the meantime keeps it', async () => {
  const change = await changing();
  await make.person({ email: change.newEmail });
  await visitor.accounts.confirmEmailChange({ token: change.old, side: 'old' });

  await expect(change.person.api.accounts.confirmEmailChange({ token: change.new, side: 'new' })).toFailWith(
    'account.email_taken',
  );

  expect(await emailOf(change.person)).toBe(change.person.email);
});

test('two concurrent confirmations of both sides change the address once', async () => {
  const change = await changing();

  const done = await Promise.all(
    (['old', 'new'] as const).map((side) =>
      change.person.api.accounts.confirmEmailChange({ token: change[side], side }),
    ),
  );

  expect(done.filter(({ isDone }) => isDone)).toHaveLength(1);
  expect(await emailOf(change.person)).toBe(change.newEmail);
});
