import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { sendWelcome } from '~/server/domain/newsletter/send-welcome';
import { newsletterStage, SETTINGS } from './sent-editions';

const { runtime, make, addContacts, jobCtx } = await newsletterStage();
const welcome = {
  sendsWelcome: true,
  welcomeSubject: 'Welcome, {{name|friend}}',
  welcomeContent: 'So glad, {{name|you}}!',
};

async function owner(over: object) {
  const person = await make.creator();
  await person.api.newsletter.saveSettings({ ...SETTINGS, senderEmail: person.email, ...over } as never);
  return person;
}

const emailsTo = (to: string) => runtime.db.select().from(outbox).where(eq(outbox.to, to)).orderBy(outbox.id);

test('a new contact is welcomed once, with its name, and can leave', async () => {
  const { creatorId } = await owner(welcome);
  const [contact] = await addContacts(creatorId, 1, { name: 'Nora & Co' });

  await sendWelcome(jobCtx(), { contactId: contact!.id });
  await sendWelcome(jobCtx(), { contactId: contact!.id });

  const [email, ...others] = await emailsTo(contact!.email);
  expect(others).toEqual([]);
  expect(email).toMatchObject({ subject: 'Welcome, Nora & Co', text: expect.stringContaining('So glad, Nora & Co!') });
  expect(email!.html).toContain('So glad, Nora &amp; Co!');
  expect(email!.headers).toMatchObject({ 'List-Unsubscribe': expect.any(String) });
});

test('nobody is welcomed while it is switched off, or after leaving', async () => {
  const quiet = await owner({ ...welcome, sendsWelcome: false });
  const [first] = await addContacts(quiet.creatorId, 1);
  const loud = await owner(welcome);
  const [left] = await addContacts(loud.creatorId, 1, { status: 'inactive', inactiveAs: 'unsubscribed' });

  for (const { id } of [first!, left!]) await sendWelcome(jobCtx(), { contactId: id });

  expect([await emailsTo(first!.email), await emailsTo(left!.email)]).toEqual([[], []]);
});
