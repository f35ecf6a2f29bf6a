import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { contactMessages } from '~/db/schema/support';
import { DAYS, later } from '~/server/base/time';
import { deliverEmail } from '~/server/domain/notifications/deliver-email';
import { queueEmail } from '~/server/domain/notifications/outbox';
import { isUnsubscribed, unsubscribeLink } from '~/server/domain/notifications/unsubscribe';
import { sendMessage } from '~/server/domain/support/contact-support';
import { CONTACT_LIMITS } from '~/server/limits/support';
import { transact } from '~/server/runtime/ctx';
import '../support/matchers';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';
import { pagesApp } from '../support/pages-app';
import { runJobs } from '../support/run-jobs';

const opened = await cast();
const { runtime, env, clock, inbox, visitor, visitorCtx, podcast, series } = opened;
const api = legacyClient(opened);
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
  const stored = await db
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.email, email))
    .orderBy(contactMessages.id);
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
  // only the operator gets an email
  const recipients = await db
    .selectDistinct({ to: outbox.to })
    .from(outbox)
    .where(eq(outbox.topic, 'contact'))
    .orderBy(outbox.to);
  expect(recipients).toEqual([{ to: operator }]);
});

const newEpisodes = (email: string) => unsubscribeLink(visitorCtx(), { email, productId: podcast.id }, 'en');
const tokenIn = (url: string) => new URL(url).searchParams.get('token')!;
const post = (url: string, body: Record<string, string>) =>
  app.request(url, { method: 'POST', body: new URLSearchParams(body) });

test('an email about new episodes has the headers with which mail programs unsubscribe by themselves', async () => {
  const email = 'reader@mail.example';
  const { url, headers } = newEpisodes(email);
  const content = { heading: 'New', paragraphs: [], footer: url };
  const mail = { to: email, userId: null, topic: 'test', language: 'en' as const, subject: 'New', content, headers };
  await transact(visitorCtx(), (tx) => queueEmail(tx, mail));
  await sendEmails();
  const [sent] = await inbox!.list(email);
  const sentHeaders = new Map(sent!.headers.map(({ key, value }) => [key, value]));
  const link = /^<(.+)>$/.exec(sentHeaders.get('list-unsubscribe')!)![1]!;
  expect([link, sentHeaders.get('list-unsubscribe-post')]).toEqual([url, 'List-Unsubscribe=One-Click']);

  const page = await app.request(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(email)]);
  expect(await isUnsubscribed(visitorCtx(), { email, productId: podcast.id }), 'after opening it').toBe(false);
  // without cookies and Origin, as email apps do, and twice
  for (let i = 0; i < 2; i += 1) expect((await post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);

  expect(await isUnsubscribed(visitorCtx(), { email, productId: podcast.id })).toBe(true);
  expect(await isUnsubscribed(visitorCtx(), { email, productId: series.id })).toBe(false);
});

test('a legacy client unsubscribes with the token or with its parts, any number of times', async () => {
  const [first, second] = ['one@mail.example', 'two@mail.example'];
  const token = tokenIn(newEpisodes(first).url);
  const [, signature] = tokenIn(newEpisodes(second).url).split('.');
  const parts = { email: second, product_id: podcast.id, signature };

  const answers = [
    await api.post('unsubscribe-from-new_episodes/', { json: { token } }),
    await api.post('unsubscribe-from-new_episodes/', { json: { token } }),
    await api.post('unsubscribe-from-new_episodes/', { json: parts }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const email of [first, second])
    expect(await isUnsubscribed(visitorCtx(), { email, productId: podcast.id })).toBe(true);
});

test('a forged or moved signature unsubscribes no other listener, and from no other show', async () => {
  const email = 'victim2@mail.example';
  const [name = '', signature = ''] = tokenIn(newEpisodes('attacker@mail.example').url).split('.');
  const named = (productId: number) => Buffer.from(`${productId} ${email}`).toString('base64url');
  const own = tokenIn(newEpisodes(email).url).split('.')[1]!;
  const forged = [
    { token: `${named(podcast.id)}.${signature}` },
    { token: `${named(series.id)}.${own}` },
    { token: `${named(podcast.id)}.` },
    { token: named(podcast.id) },
    { token: `${name}.${own}` },
    { token: '' },
    { email, product_id: series.id, signature: own },
    { email, product_id: podcast.id },
    {},
  ];

  for (const json of forged) expect((await api.post('unsubscribe-from-new_episodes/', { json })).status).toBe(400);

  for (const { id: productId } of [podcast, series])
    expect(await isUnsubscribed(visitorCtx(), { email, productId })).toBe(false);
});
