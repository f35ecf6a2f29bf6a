import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { members } from '~/db/schema/team';
import { webhookAttempts, webhookEndpoints } from '~/db/schema/webhooks';
import { deliverWebhooks } from '~/server/domain/webhooks/deliver-webhooks';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { testFetcher } from '../support/test-fetcher';

const { runtime, env, make } = await cast({ empty: true });
// nothing listens there
Object.assign(runtime.ports, { fetcher: testFetcher() });
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
const PATH = '/profile/developers/webhooks';
const NOWHERE = 'http://127.0.0.1:9/hook';

async function open(path: string, { token = '' } = {}) {
  const response = await app.request(appUrl + path, { headers: { cookie: token && `token=${token}` } });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}
async function send(token: string, path: string, values: Record<string, string>) {
  const { host, origin } = new URL(appUrl);
  const headers = { host, origin, cookie: `token=${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(values);
  const response = await app.request(appUrl + path, { method: 'POST', headers, body });
  const html = await response.text();
  return { status: response.status, location: response.headers.get('location'), html, headers: response.headers };
}

test('without a script, an owner adds an address, sees its secret once, tests it, and reads the log', async () => {
  const owner = await make.creator();
  const empty = await open(PATH, owner);
  const wrong = await send(owner.token, PATH, { intent: 'create', kind: 'webhook', url: 'http://hooks.example/x' });
  const box = { 'event-episode.published': 'on', 'event-show.created': 'false' };
  const made = await send(owner.token, PATH, {
    intent: 'create',
    kind: 'webhook',
    url: NOWHERE,
    description: 'Sheet',
    ...box,
  });

  expect(empty.html).toContain('No addresses yet');
  expect([wrong.status, wrong.html.includes('must begin with https://')]).toEqual([400, true]);
  expect(made.html).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
  expect(made.headers.get('cache-control')).toContain('no-store');
  const list = await open(PATH, owner);
  for (const text of ['Sheet', '1 event', 'On', 'Program or automation · 127.0.0.1:9/hook<'])
    expect(list.html).toContain(text);
  expect(list.html).not.toContain('whsec_');

  const [row] = await runtime.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.creatorId, owner.creatorId));
  const page = `${PATH}?endpoint=${row!.id}`;
  expect(row!.events).toEqual(['episode.published']);
  const tested = await send(owner.token, page, { intent: 'test', type: 'show.created' });
  expect(tested.location).toBe(`${page}&done=webhook_tested`);
  await deliverWebhooks(systemCtx(runtime, 'webhooks.deliver'));
  const log = await open(page, owner);
  for (const text of [
    'Show created',
    'Test',
    'no answer',
    '127.0.0.1',
    'Next attempt',
    'webhook-id: <',
    'Times are in',
  ])
    expect(log.html).toContain(text);
  expect((await open(`/es${page}`, owner)).html).toContain('Programa creado');

  expect(log.html).toContain('&quot;test&quot;: true');
  expect(log.html).toMatch(
    /<details[^>]*><summary[^>]*>Delete<\/summary>.*“Sheet” gets no more events.*value="remove"/,
  );

  const deliveryId = /name="deliveryId" value="(\d+)"/.exec(log.html)![1]!;
  await runtime.db.update(webhookAttempts).set({ answer: `${'x'.repeat(500)}END` });
  const [cut, whole] = [await open(page, owner), await open(`${page}&delivery=${deliveryId}`, owner)];
  expect(cut.html).toContain(`href="${page}&amp;delivery=${deliveryId}"`);
  expect([cut.html.includes('END'), whole.html.includes('END')]).toEqual([false, true]);
  expect((await open(`${page}&delivery=nothing`, owner)).status).toBe(400);
  expect((await open(`${page}&delivery=999999`, owner)).status).toBe(404);
  expect((await send(owner.token, page, { intent: 'redeliver', deliveryId })).location).toContain(
    'webhook_redelivered',
  );
  expect((await open(page, owner)).html).toContain('Sent again');
  expect((await send(owner.token, page, { intent: 'rotate' })).html).toMatch(/whsec_/);
  expect((await send(owner.token, page, { intent: 'switch', isOn: 'false' })).location).toContain(
    'webhook_switched_off',
  );
  expect((await open(page, owner)).html).toContain('Switch on');
  expect((await send(owner.token, page, { intent: 'remove' })).location).toBe(`${PATH}?done=webhook_removed`);
  expect((await open(page, owner)).status).toBe(404);
});

test('chats are told which events they can have', async () => {
  const owner = await make.creator();
  const url = 'https://hooks.slack.com/services/T0/B0/secret';

  const none = await send(owner.token, PATH, { intent: 'create', kind: 'slack', url });
  const box = { 'event-report.ready': 'on' };
  const other = await send(owner.token, PATH, {
    intent: 'create',
    kind: 'slack',
    url,
    ...box,
    'event-show.created': 'on',
  });
  const made = await send(owner.token, PATH, { intent: 'create', kind: 'slack', url, ...box });

  expect([none.status, none.html.includes('Choose at least one event for the chat')]).toEqual([400, true]);
  expect([other.status, other.html.includes('Chats can’t get show.created.')]).toEqual([400, true]);
  expect(other.html).toContain('They get only “Subscription started”');
  // without a script, the other kind can still be chosen
  expect(other.html).toContain('name="event-show.created"');
  expect(made.location).toBe(`${PATH}?done=webhook_added`);
  const list = await open(PATH, owner);
  expect(list.html).toContain('hooks.slack.com');
  const chat = await open(PATH + /\?endpoint=[\w-]+/.exec(list.html)![0], owner);
  expect([...chat.html.matchAll(/<input type="hidden" name="event-([\w.]+)"/g)].map(([, type]) => type)).toEqual([
    'subscription.started',
    'episode.published',
    'report.ready',
  ]);
  expect(chat.html).not.toContain('&quot;test&quot;');
});

test('members of the team have no page of webhooks, and the page of another creator’s address is missing', async () => {
  const [owner, other, member] = [await make.creator(), await make.creator(), await make.person()];
  const { id } = await owner.api.webhooks.create({ url: NOWHERE, events: [] });
  await runtime.db.insert(members).values({ creatorId: owner.creatorId, userId: member.id, role: 'editor' });
  const { token } = await runtime.sessions.start(member.id, { channel: 'web', userAgent: '', country: null });

  expect((await open(PATH, { token })).status).toBe(403);
  expect((await open(`${PATH}?endpoint=${id}`, other)).status).toBe(404);
  expect((await open(`${PATH}?endpoint=nothing`, other)).status).toBe(404);
  expect((await send(other.token, `${PATH}?endpoint=${id}`, { intent: 'remove' })).status).toBe(404);
  expect((await open(PATH)).location).toMatch(/^\/login/);
});
