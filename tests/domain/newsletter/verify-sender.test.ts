import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { newsletters } from '~/db/schema/newsletter';
import { outbox } from '~/db/schema/notifications';
import { members } from '~/db/schema/team';
import type { BulkMessage } from '~/server/adapters/mail/bulk/message';
import { DAYS, later } from '~/server/base/time';
import { confirmSender } from '~/server/domain/newsletter/verify-sender';
import { EMAIL_LINK_LIMITS } from '~/server/limits/accounts';
import { SENDER_LIMITS } from '~/server/limits/newsletter';
import '../../support/matchers';
import { newsletterStage, SETTINGS } from './sent-editions';

const { runtime, make, visitor, visitorCtx, clock, draft, deliver, addContacts } = await newsletterStage();
const { db } = runtime;
type Person = Awaited<ReturnType<typeof make.creator>>;

const save = ({ api }: Person, senderEmail: string) =>
  api.newsletter.saveSettings({ ...SETTINGS, senderEmail } as never);
const linksTo = async (to: string) => {
  const rows = await db
    .select({ text: outbox.text })
    .from(outbox)
    .where(and(eq(outbox.to, to), eq(outbox.topic, 'newsletter_sender')))
    .orderBy(outbox.createdAt, outbox.id);
  return rows.map(({ text }) => /confirm-newsletter-sender\?token=(\S+)/.exec(text)![1]!);
};

/** The Reply-To header of an edition that is sent now. */
async function replyTo(person: Person): Promise<string | undefined> {
  await addContacts(person.creatorId, 1);
  const edition = await draft(person);
  await person.api.editions.send(edition as never);
  let source = '';
  const keep = ({ bytes }: BulkMessage) => {
    source = String(bytes());
    return {};
  };
  await deliver(edition.id, { answer: keep });
  return /^Reply-To: (.*)\r$/m.exec(source)?.[1];
}

test('answers go to the owner until the new address is verified by its link', async () => {
  const person = await make.creator();
  await save(person, 'answers@mail.example');
  const [token] = await linksTo('answers@mail.example');

  expect(await person.api.newsletter.settings()).toMatchObject({
    ...{ senderEmail: 'answers@mail.example', replyTo: person.email },
  });
  expect(await replyTo(person)).toBe(`Nora <${person.email}>`);
  // a scanner that opens the link changes nothing
  expect(await visitor.newsletter.senderLink({ token: token! })).toMatchObject({ isVerified: false });
  expect(await replyTo(person)).toBe(`Nora <${person.email}>`);

  await visitor.newsletter.confirmSender({ token: token! });
  await visitor.newsletter.confirmSender({ token: token! });
  expect(await person.api.newsletter.settings()).toMatchObject({ replyTo: 'answers@mail.example' });
  expect(await replyTo(person)).toBe('Nora <answers@mail.example>');

  await save(person, 'answers@mail.example');
  expect(await linksTo('answers@mail.example')).toHaveLength(1);
});

test('a link verifies no other address, and no other newsletter', async () => {
  const [person, other] = [await make.creator(), await make.creator()];
  await save(person, 'first@mail.example');
  await save(other, other.email);
  const [token] = await linksTo('first@mail.example');

  await save(person, 'second@mail.example');
  await expect(visitor.newsletter.confirmSender({ token: token! })).toFailWith('newsletter.sender_link_expired');

  await db.update(newsletters).set({ senderVerifiedAt: null }).where(eq(newsletters.creatorId, other.creatorId));
  for (const wrong of ['', 'unknown', `${token}x`, token!.replace(/^./, 'A')])
    await expect(visitor.newsletter.confirmSender({ token: wrong })).toFailWith('newsletter.sender_link_expired');
  await save(person, 'first@mail.example');
  const late = visitorCtx({ now: later(clock.now, DAYS(3)) });
  await expect(confirmSender(late, { token: token! })).rejects.toMatchObject({
    code: 'newsletter.sender_link_expired',
  });
});

test('verified addresses of the owner and of members need no link, others’ do', async () => {
  const [person, member, stranger] = [await make.creator(), await make.person(), await make.person()];
  const verified = { emailVerifiedAt: clock.now };
  for (const { id } of [member, stranger]) await db.update(users).set(verified).where(eq(users.id, id));
  await db.insert(members).values({ creatorId: person.creatorId, userId: member.id, role: 'editor' });

  for (const { email } of [person, member]) {
    await save(person, email);
    expect(await person.api.newsletter.settings()).toMatchObject({ replyTo: email });
    expect(await linksTo(email)).toEqual([]);
  }
  await save(person, stranger.email);

  expect(await person.api.newsletter.settings()).toMatchObject({ replyTo: person.email });
  expect(await linksTo(stranger.email)).toHaveLength(1);
});

test('an address gets few links, however many creators ask', async () => {
  const many = await Promise.all(Array.from({ length: EMAIL_LINK_LIMITS.perWindow + 1 }, () => make.creator()));
  for (const person of many.slice(1)) await save(person, 'victim@mail.example');

  await expect(save(many[0]!, 'victim@mail.example')).toFailWith('newsletter.too_many_sender_emails');
  await expect(many[1]!.api.newsletter.resendSender()).toFailWith('newsletter.too_many_sender_emails');

  expect(await linksTo('victim@mail.example')).toHaveLength(EMAIL_LINK_LIMITS.perWindow);
});

test('an account sends few links, to however many addresses', async () => {
  const person = await make.creator();
  for (let i = 0; i < SENDER_LIMITS.perAccount; i += 1) await save(person, `stranger${i}@mail.example`);

  await expect(save(person, 'last@mail.example')).toFailWith('newsletter.too_many_sender_emails');

  expect(await linksTo('last@mail.example')).toEqual([]);
  expect(await person.api.newsletter.settings()).toMatchObject({ replyTo: person.email });
});
