import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { followShow } from '~/server/domain/access/follow-show';
import { leaveLink } from '~/server/domain/audience/leave-newsletter';
import { endSuppression } from '~/server/domain/audience/suppressions';
import { deliverBulkEmails } from '~/server/domain/newsletter/deliver-bulk-emails';
import { receiveMessage } from '~/server/domain/newsletter/receive-message';
import { sendWelcome } from '~/server/domain/newsletter/send-welcome';
import { queueEmails } from '~/server/domain/notifications/outbox';
import { unsubscribeLink } from '~/server/domain/notifications/unsubscribe';
import { transact } from '~/server/runtime/ctx';
import { newsletterStage, SETTINGS } from './sent-editions';

const stage = await newsletterStage();
const { runtime, make, ctxOf, visitorCtx, publisher, addContacts, jobCtx } = stage;
const { db } = runtime;
runtime.ports.mail = { ...runtime.ports.mail, bounceAddress: 'bounces@altavoz.example' };

const owner = await publisher();
const [show, other] = [await make.product(owner), await make.product(owner)];

/** Sends what waits. @returns the addresses of the headers to unsubscribe by email, by recipient */
async function sendAll(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const ctx = jobCtx();
  const send: typeof ctx.ports.bulkMail.send = async (messages, onResults) => {
    for (const message of messages) {
      const text = String(await message.bytes()).replaceAll(/\r?\n[ \t]/g, ' ');
      found.set(message.to, /^List-Unsubscribe: .*<mailto:([^?>]+)/im.exec(text)?.[1] ?? '');
    }
    await onResults(messages.map(({ id }) => ({ id, state: 'sent' as const })));
  };
  await deliverBulkEmails({ ...ctx, ports: { ...ctx.ports, bulkMail: { ...ctx.ports.bulkMail, send } } });
  return found;
}

const queueEpisode = (person: { id: number; email: string }, productId = show.id) =>
  transact(visitorCtx(), (tx) =>
    queueEmails(tx, [
      {
        ...{ to: person.email, userId: person.id, creatorId: owner.creatorId, productId, topic: 'new_episode' },
        ...{ language: 'en', subject: 'The tide', content: { heading: 'The tide', paragraphs: [], footer: 'Bye' } },
        headers: unsubscribeLink(tx, { email: person.email, productId }, 'en').headers,
      },
    ]),
  );
const write = (to: string) =>
  receiveMessage(jobCtx(), Buffer.from(`From: x@else.example\r\nTo: ${to}\r\nSubject: unsubscribe\r\n\r\nPlease.\r\n`));

test('an email to the address of an email about a new episode ends those about its show', async () => {
  const [leaves, stays] = [await make.person(), await make.person()];
  for (const person of [leaves, stays])
    for (const { id: productId } of [show, other]) await followShow(ctxOf(person), { productId });
  for (const person of [leaves, stays]) await queueEpisode(person);
  const sent = await sendAll();
  const address = sent.get(leaves.email)!;
  expect(address).toMatch(/^bounces\+e\.[0-9a-z.]+@altavoz\.example$/);
  expect(address.indexOf('@')).toBeLessThan(64);

  const kinds = [
    await write(address.toUpperCase()),
    await write(address),
    await write(address.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'))),
    // a tag of another kind names other things
    await write(address.replace('+e.', '+u.')),
    await write(address.replace('+e.', '+b.')),
  ];
  for (const person of [leaves, stays]) await queueEpisode(person);
  await queueEpisode(leaves, other.id);

  expect(kinds).toEqual(['unsubscribe', 'unsubscribe', 'ignored', 'ignored', 'ignored']);
  const queued = await sendAll();
  expect([...queued.keys()].sort()).toEqual([leaves.email, stays.email].sort());
  expect(await db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.email, leaves.email))).toBe(1);
  expect(await db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.email, stays.email))).toBe(0);
});

test('the address of an account that was deleted, or has another one now, ends what it can', async () => {
  const [moved, gone] = [await make.person(), await make.person()];
  for (const person of [moved, gone]) await followShow(ctxOf(person), { productId: show.id });
  for (const person of [moved, gone]) await queueEpisode(person);
  const sent = await sendAll();
  await db.update(users).set({ email: 'moved-listener@mail.example' }).where(eq(users.id, moved.id));
  await db.update(users).set({ deletedAt: stage.clock.now }).where(eq(users.id, gone.id));

  expect([await write(sent.get(moved.email)!), await write(sent.get(gone.email)!)]).toEqual([
    'unsubscribe',
    'unsubscribe',
  ]);

  const optOuts = (email: string) => db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.email, email));
  expect([await optOuts('moved-listener@mail.example'), await optOuts(gone.email)]).toEqual([1, 0]);
});

test('an email to the address of a welcome ends the newsletter, and not the emails about new episodes', async () => {
  const texts = { sendsWelcome: true, welcomeSubject: 'Welcome', welcomeContent: 'So glad!' };
  await owner.api.newsletter.saveSettings({ ...SETTINGS, senderEmail: owner.email, ...texts } as never);
  const [reader] = await addContacts(owner.creatorId, 1);
  await sendWelcome(jobCtx(), { contactId: reader!.id });
  const address = (await sendAll()).get(reader!.email)!;

  expect(await write(address)).toBe('unsubscribe');

  const [row] = await db.select().from(contacts).where(eq(contacts.id, reader!.id));
  expect(row).toMatchObject({ status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link' });
  expect(await db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.email, reader!.email))).toBe(0);
});

test('an email to the address of an older email counts after its reader was erased and has signed up again', async () => {
  const texts = { sendsWelcome: true, welcomeSubject: 'Welcome', welcomeContent: 'So glad!' };
  await owner.api.newsletter.saveSettings({ ...SETTINGS, senderEmail: owner.email, ...texts } as never);
  const [reader] = await addContacts(owner.creatorId, 1);
  await sendWelcome(jobCtx(), { contactId: reader!.id });
  const address = (await sendAll()).get(reader!.email)!;
  const key = { creatorId: owner.creatorId, email: reader!.email };
  const token = new URL(leaveLink(runtime, { ...key, id: reader!.id }, 'en').url).searchParams.get('list')!;
  await stage.visitor.audience.eraseOwnContact({ token, hasConfirmed: true } as never);
  await transact(jobCtx(), (tx) => endSuppression(tx, key));
  const [again] = await addContacts(owner.creatorId, 1, { email: reader!.email });

  expect(await write(address)).toBe('unsubscribe');

  const [row] = await db.select().from(contacts).where(eq(contacts.id, again!.id));
  expect(row).toMatchObject({ status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link' });
});
