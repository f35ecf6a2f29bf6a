import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { buyerMessages, messageOptOuts } from '~/db/schema/buyers';
import { outbox } from '~/db/schema/notifications';
import { activity } from '~/db/schema/team';
import { DAYS, later } from '~/server/base/time';
import { eraseBuyerMessages } from '~/server/domain/billing/buyers/message-buyer';
import { MESSAGE_LIMITS } from '~/server/limits/buyers';
import { shop } from '../../../support/shop';
import '../../../support/matchers';

const { runtime, make, ctx, lucia, ada, visitor, as, clock, club, buyers: people } = await shop({ buyers: true });
const { db } = runtime;
const { buyers } = lucia.api;
const ref = { id: club.id, kind: 'podcast' as const };
const userId = people.active.id;
const letter = (more = {}) => ({
  ...ref,
  userId,
  key: randomUUID(),
  subject: 'Gracias',
  text: 'Hola.\n\nAda',
  ...more,
});
const emails = () => db.select().from(outbox).where(eq(outbox.topic, 'buyer_message')).orderBy(outbox.createdAt);
beforeEach(async () => {
  await db.delete(buyerMessages);
  await db.delete(outbox);
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, lucia.id));
});

test('a message reaches one person, says from whom, why and how to stop it, and is kept', async () => {
  await buyers.message(letter());

  const [email, ...others] = await emails();
  expect(others).toEqual([]);
  expect(email).toMatchObject({ to: people.active.email, userId, subject: expect.stringMatching(/: Gracias$/) });
  expect(email!.headers).toMatchObject({ 'Reply-To': lucia.email, 'List-Unsubscribe-Post': expect.any(String) });
  for (const part of ['Hola.', club.name, '/unsubscribe?messages=']) expect(email!.text).toContain(part);
  const { messages } = await buyers.get({ ...ref, userId });
  expect(messages).toMatchObject({ mayWrite: true, replyTo: lucia.email, sent: [{ subject: 'Gracias' }] });
  const isLogged = and(eq(activity.action, 'buyer.messaged'), eq(activity.subjectId, userId));
  expect(await db.$count(activity, isLogged)).toBe(1);
});

test('a form that is sent twice, or twice at once, sends one email', async () => {
  const form = letter();

  await Promise.all([buyers.message(form), buyers.message(form)]);
  await buyers.message(form);

  expect(await emails()).toHaveLength(1);
  expect(await db.$count(buyerMessages)).toBe(1);
});

test('a form that has sent a message sends no other one, and says so', async () => {
  const form = letter();
  await buyers.message(form);

  for (const other of [{ text: 'Otro' }, { subject: 'Otro' }, { userId: people.trial.id }])
    await expect(buyers.message({ ...form, ...other })).toFailWith('buyer.message_form_used');
  expect(await emails()).toHaveLength(1);
  await buyers.message(letter({ text: 'Otro' }));
  expect(await emails()).toHaveLength(2);
});

test('a subject can’t add headers or fill an inbox, and both texts are required', async () => {
  await buyers.message(letter({ subject: 'Hi\r\nBcc: all@mail.example\u2028x', text: '<b>Hi</b>' }));
  const [email] = await emails();
  expect(email!.subject).toMatch(/: Hi Bcc: all@mail\.example x$/);
  expect(Object.keys(email!.headers).sort()).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post', 'Reply-To']);
  expect(email!.html).toContain('&lt;b&gt;Hi&lt;/b&gt;');

  const wrong = [
    { subject: 'x'.repeat(10_240) },
    { subject: ' ' },
    { text: '' },
    { text: 'x'.repeat(4001) },
    { key: 'x' },
  ];
  for (const part of wrong) await expect(buyers.message(letter(part))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await emails()).toHaveLength(1);
});

test('only buyers of one’s own shows who came by themselves and still have an account get messages', async () => {
  const unknown = await make.person();
  await buyers.invite({ ...ref, email: 'invited@mail.example' });
  const [invited] = await db.select().from(users).where(eq(users.email, 'invited@mail.example'));
  await db.update(users).set({ deletionRequestedAt: clock.now }).where(eq(users.id, people.yearly.id));

  await expect(ada.api.buyers.message(letter())).toFailWith('product.not_found');
  await expect(buyers.message(letter({ userId: unknown.id }))).toFailWith('buyer.not_found');
  await expect(buyers.message(letter({ userId: people.yearly.id }))).toFailWith('buyer.not_found');
  await expect(buyers.message(letter({ userId: invited!.id }))).toFailWith('buyer.not_addressable');
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, lucia.id));
  await expect(buyers.message(letter())).toFailWith('account.email_not_verified');
  expect(await db.$count(buyerMessages)).toBe(0);
});

test('a person gets two messages of a creator in a day, and a creator sends fifty', async () => {
  const { perWindow, perPerson, window } = MESSAGE_LIMITS;
  for (let sent = 0; sent < perPerson; sent += 1) await buyers.message(letter());
  await expect(buyers.message(letter())).toFailWith('buyer.too_many_to_person');
  await buyers.message(letter({ userId: people.trial.id }));
  const row = {
    creatorId: lucia.creatorId,
    userId: people.cancelled.id,
    subject: 'x',
    text: 'x',
    createdAt: clock.now,
  };
  const more = Array.from({ length: perWindow - perPerson - 1 }, () => ({ ...row, key: randomUUID() }));
  await db.insert(buyerMessages).values(more);
  await expect(buyers.message(letter({ userId: people.trial.id }))).toFailWith('buyer.too_many_messages');

  const now = clock.now;
  clock.now = later(now, window + DAYS(1));
  await buyers.message(letter());
  clock.now = now;
});

test('the link in a message stops a creator’s messages, and the person allows them again', async () => {
  await buyers.message(letter());
  const token = /\?messages=([\w.-]+)/.exec((await emails())[0]!.text)![1]!;
  const { token: session } = await runtime.sessions.start(userId, { channel: 'web', userAgent: '', country: null });
  const person = await as({ token: session });
  const stopped = { creatorId: lucia.creatorId };

  expect((await visitor.buyers.sender({ token })).creator).not.toBe('');
  await visitor.buyers.stopMessages({ token });
  await visitor.buyers.stopMessages({ token });
  expect(await person.buyers.stopped()).toMatchObject([stopped]);
  expect((await buyers.get({ ...ref, userId })).messages?.mayWrite).toBe(false);
  await expect(buyers.message(letter())).toFailWith('buyer.not_addressable');
  await ada.api.buyers.allowMessages(stopped);
  await expect(buyers.message(letter())).toFailWith('buyer.not_addressable');
  await person.buyers.allowMessages(stopped);
  await buyers.message(letter());

  expect(await db.$count(messageOptOuts)).toBe(0);
  const forged = `${Buffer.from(`${lucia.creatorId} ${people.trial.id}`).toString('base64url')}.${token.split('.')[1]}`;
  await expect(visitor.buyers.stopMessages({ token: forged })).toFailWith('buyer.messages_link_invalid');
});

test('messages are deleted with the account of either side', async () => {
  await buyers.message(letter());
  await buyers.message(letter({ userId: people.trial.id }));

  await eraseBuyerMessages(ctx, { userId });
  const left = db.select({ userId: buyerMessages.userId }).from(buyerMessages).orderBy(buyerMessages.id);
  expect(await left).toEqual([{ userId: people.trial.id }]);
  await eraseBuyerMessages(ctx, { userId: lucia.id });
  await eraseBuyerMessages(ctx, { userId: lucia.id });
  expect(await db.$count(buyerMessages)).toBe(0);
});
