import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { contactMessages } from '~/db/schema/support';
import { deliverEmail } from '~/server/domain/notifications/delivering';
import { sendMessage } from '~/server/domain/support/contacting';
import { CONTACT_LIMITS } from '~/server/limits/support';
import { DAYS, later } from '~/server/time';
import '../support/matchers';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { runJobs } from '../support/run-jobs';

const { runtime, env, clock, inbox, visitor, visitorCtx } = await cast();
const { db } = runtime;
const operator = env.support.operator.email;
const app = pagesApp(runtime, env.urls);

const message = { name: 'Ana', subject: 'A question', text: 'First line\nsecond line\n\nAnother paragraph.' };
const sendEmails = () => runJobs(runtime, 'notifications.deliver', (job, ctx) => deliverEmail(ctx, job));
const storedFrom = (email: string) => db.$count(contactMessages, eq(contactMessages.email, email));

/** The emails in the operator's inbox that answer to an address, with their headers by name. */
async function receivedFrom(email: string) {
  await sendEmails();
  const all = (await inbox!.list(operator)).map((mail) => ({
    ...mail,
    headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
  }));
  return all.filter(({ headers }) => headers.get('reply-to') === email);
}

test('a message reaches the operator, whose reply goes to the sender, in one conversation per address', async () => {
  const email = 'ana@mail.example';
  for (const subject of ['A question', 'One more']) await sendMessage(visitorCtx(), { ...message, email, subject });
  const muchLater = visitorCtx({ now: later(clock.now, CONTACT_LIMITS.thread) });
  await sendMessage(muchLater, { ...message, email, subject: 'Another question' });

  const received = await receivedFrom(email);
  const [first, second, third] = ['A question', 'One more', 'Another question'].map((subject) =>
    received.find((mail) => mail.subject === subject),
  );

  expect(first).toMatchObject({ to: [operator], subject: 'A question' });
  expect(first!.html).toContain('First line<br>second line</p>');
  expect(first!.text).toContain(`From Ana (${email})`);
  expect(first!.headers.get('references')).toMatch(/^<contact\.[\da-f-]{36}@altavoz\.localhost>$/);
  expect(second!.headers.get('references')).toBe(first!.headers.get('references'));
  expect(third!.headers.get('references')).not.toBe(first!.headers.get('references'));
  const stored = await db.select().from(contactMessages).where(eq(contactMessages.email, email));
  expect(new Set(stored.map(({ threadId }) => threadId)).size).toBe(2);
});

const ENDINGS = ['\r\nBcc: victim@mail.example', '\nTo: victim@mail.example', '\r\n\r\n<script>alert(1)</script>'];

test.each(ENDINGS.flatMap((ending) => ['name', 'email', 'subject'].map((field) => [field, ending])))(
  'no header can be added through the %s of the contact form (%j)',
  async (field, ending) => {
    const email = `header${Math.random()}@mail.example`;
    const input = { ...message, email };

    const attempt = visitor.support.sendMessage({ ...input, [field]: input[field as keyof typeof input] + ending });

    await expect(attempt).toFailWith(field === 'email' ? 'field.email_invalid' : 'field.one_line');
    expect(await storedFrom(email)).toBe(0);
    expect(await inbox!.list('victim@mail.example')).toEqual([]);
  },
);

test('the contact form can be bombed neither from one address nor from one network', async () => {
  const email = 'bomber@mail.example';
  const fromAddress = await Promise.allSettled(
    Array.from({ length: 30 }, () => sendMessage(visitorCtx(), { ...message, email })),
  );
  const body = (i: number) => new URLSearchParams({ ...message, email: `bomber${i}@mail.example` });
  const fromNetwork: number[] = [];
  for (let i = 0; i < 30; i += 1)
    fromNetwork.push((await app.request(`${env.urls.appUrl}/contact`, { method: 'POST', body: body(i) })).status);

  expect(fromAddress.filter(({ status }) => status === 'fulfilled')).toHaveLength(CONTACT_LIMITS.perAddress);
  expect(await storedFrom(email)).toBe(CONTACT_LIMITS.perAddress);
  expect(fromNetwork.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
  expect(fromNetwork.at(-1)).toBe(429);
  const tomorrow = visitorCtx({ now: later(clock.now, DAYS(1)) });
  await expect(sendMessage(tomorrow, { ...message, email })).resolves.toBeUndefined();
  // nobody but the operator gets an email
  const recipients = await db.selectDistinct({ to: outbox.to }).from(outbox).where(eq(outbox.topic, 'contact'));
  expect(recipients).toEqual([{ to: operator }]);
});

test.each([
  ['/privacy-policy', 'en', 'Privacy policy'],
  ['/es/privacy-policy', 'es', 'Política de privacidad'],
  ['/terms-and-conditions', 'en', 'Terms and conditions'],
  ['/es/terminos-y-condiciones', 'es', 'Términos y condiciones'],
])('%s names the operator, and is shared by all visitors', async (path, language, title) => {
  const response = await app.request(env.urls.appUrl + path);
  const html = await response.text();

  expect([response.status, response.headers.get('x-cache-tags')]).toEqual([200, 'legal']);
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).toContain(`<h1>${title}</h1>`);
  expect(html).toContain(operator);
  expect(/<main.*<\/main>/s.exec(html)![0]).not.toContain('{{');
});
