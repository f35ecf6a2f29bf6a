import fs from 'node:fs';
import { expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '~/db/values/webhook-events';
import { sampleEvent } from '~/server/domain/webhooks/sample-events';
import { matchV1 } from '~/server/doors/v1/match-call';
import { webhookStage } from '../domain/webhooks/webhook-stage';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await webhookStage();
const { runtime, lucia, make, podcast, origin, newPath, at, deliver } = opened;
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const key = await keyOf(lucia);

test('a tool subscribes an address, gets events and reads the log, and unsubscribes', async () => {
  const path = newPath();
  const json = { url: origin + path, events: ['episode.created'] };

  const made = await api.post('/webhooks', { key, json, headers: { 'idempotency-key': 'once' } });
  const again = await api.post('/webhooks', { key, json, headers: { 'idempotency-key': 'once' } });
  const { id } = made.body as { id: string };
  expect([made.status, made.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  expect(again.text).toBe(made.text);
  expect((await api.get('/webhooks', { key })).body).toMatchObject({
    total: 1,
    data: [{ id, url: origin + path, events: ['episode.created'], disabled_at: null, waiting: 0 }],
  });

  await make.draft(lucia, podcast);
  await deliver();
  const log = await api.get(`/webhooks/${id}/deliveries`, { key });
  expect(JSON.parse(at(path)[0]!.body)).toMatchObject({ type: 'episode.created', data: { show_id: podcast.id } });
  expect(log.body.data).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
  const [{ id: deliveryId } = { id: 0 }] = log.body.data as { id: number }[];
  const one = await api.get(`/webhooks/${id}/deliveries/${deliveryId}`, { key });
  expect(one.body).toEqual((log.body.data as unknown[])[0]);
  expect((await api.get(`/webhooks/${id}/deliveries/999999`, { key })).status).toBe(404);
  expect((await api.post(`/webhooks/${id}/deliveries/${deliveryId}`, { key })).status).toBe(204);
  expect((await api.post(`/webhooks/${id}/test`, { key, json: { type: 'show.created' } })).status).toBe(204);
  await deliver();
  expect(at(path)).toHaveLength(3);

  expect((await api.post(`/webhooks/${id}/off`, { key })).status).toBe(204);
  expect((await api.post(`/webhooks/${id}/test`, { key, json: { type: 'show.created' } })).status).toBe(409);
  expect((await api.post(`/webhooks/${id}/on`, { key })).status).toBe(204);
  expect((await api.post(`/webhooks/${id}/secret`, { key })).body.secret).not.toBe(made.body.secret);
  expect((await api.put(`/webhooks/${id}`, { key, json: { url: `${origin}/other` } })).status).toBe(204);
  expect((await api.delete(`/webhooks/${id}`, { key })).status).toBe(204);
  expect((await api.delete(`/webhooks/${id}`, { key })).status).toBe(404);
});

test.each(WEBHOOK_EVENTS)('a sample of %s has the fields of a real one', async (type) => {
  const { status, body } = await api.get(`/webhooks/sample?type=${type}`, { key });

  expect([status, body]).toEqual([200, sampleEvent(type, runtime.now())]);
});

test('without its scope, or for another creator, nothing can be subscribed or read', async () => {
  const { id } = await lucia.api.webhooks.create({ url: 'https://hooks.example/x', events: [] });
  const reader = await keyOf(lucia, ['webhooks:read', 'shows:write']);
  const stranger = await keyOf(await make.creator());
  const json = { url: 'https://hooks.example/y' };

  expect((await api.get('/webhooks', { key: reader })).status).toBe(200);
  expect((await api.post('/webhooks', { key: reader, json })).status).toBe(403);
  expect((await api.delete(`/webhooks/${id}`, { key: reader })).status).toBe(403);
  expect((await api.get('/webhooks', { key: await keyOf(lucia, ['shows:read']) })).status).toBe(403);
  expect((await api.get(`/webhooks/${id}/deliveries`, { key: stranger })).status).toBe(404);
  expect((await api.delete(`/webhooks/${id}`, { key: stranger })).status).toBe(404);
  expect((await api.post('/webhooks', { key, json: { url: 'https://10.0.0.1/' } })).status).toBe(400);
});

test('a key that may not read money or people can’t have them sent to an address of its own', async () => {
  const owner = await make.creator();
  const limited = await keyOf(owner, ['webhooks:write', 'contacts:write']);
  const [path, url] = [newPath(), 'https://hooks.example/mine'];
  const post = (events?: string[]) => api.post('/webhooks', { key: limited, json: { url, events } });
  const endpoint = await owner.api.webhooks.create({ url: origin + path, events: ['purchase.completed'] });
  await owner.api.webhooks.test({ endpointId: endpoint.id, type: 'purchase.completed' });
  await deliver();

  const refused = await post(['episode.published', 'donation.received', 'edition.sent']);
  expect([refused.status, refused.body.code]).toEqual([403, 'api.scope_missing']);
  expect(refused.body.detail).toContain('money:read editions:read');
  expect(refused.headers.get('www-authenticate')).toContain('scope="money:read editions:read"');
  expect((await post()).status).toBe(403);
  expect((await post(['report.ready'])).status).toBe(403);
  expect((await post(['contact.created', 'episode.published'])).status).toBe(201);

  const base = `/webhooks/${endpoint.id}`;
  const moved = await api.put(base, { key: limited, json: { url, events: ['show.created'] } });
  const log = await api.get(`${base}/deliveries`, { key: limited });
  const [{ id: deliveryId } = { id: 0 }] = log.body.data as { id: number }[];
  const again = await api.post(`${base}/deliveries/${deliveryId}`, { key: limited });
  expect([moved.status, again.status]).toEqual([403, 403]);
  expect(log.body.data).toMatchObject([{ type: 'purchase.completed', data: { id: 210 } }]);
  expect(log.text).not.toContain('amount_minor');
  expect(JSON.parse(at(path)[0]!.body).data).toMatchObject({ amount_minor: 2900 });
  await owner.api.webhooks.change({ endpointId: endpoint.id, url, description: '', events: [] });
});

test('the address of a chat, which is a secret, is in no answer', async () => {
  const owner = await make.creator();
  const url = 'https://hooks.slack.com/services/T0/B0/secret-part';
  await owner.api.webhooks.create({ kind: 'slack', url, events: ['report.ready'] });

  const { text, body } = await api.get('/webhooks', { key: await keyOf(owner, ['webhooks:read']) });

  expect(text).not.toContain('secret-part');
  expect(body.data).toMatchObject([{ kind: 'slack', url: 'https://hooks.slack.com' }]);
});

type Workflow = {
  nodes: { name: string; parameters: { url?: string; method?: string; jsonBody?: string } }[];
  connections: Record<string, { main: { node: string }[][] }>;
  pinData: Record<string, { json: { body: unknown } }[]>;
};

test('the calls and the sample of the n8n workflow exist, and its nodes are connected', () => {
  const workflow: Workflow = JSON.parse(fs.readFileSync('clients/n8n/new-episode.json', 'utf8'));
  const names = workflow.nodes.map(({ name }) => name);
  const calls = workflow.nodes.flatMap(({ parameters: { url, method = 'GET' } }) =>
    url
      ? [matchV1(method, new URL(url.replace(/^=/, '').replace(/\{\{.*?\}\}/, '1')).pathname.replace('/v1', ''))]
      : [],
  );

  expect(calls.map((match) => match?.call?.procedure)).toEqual(['webhooks.create', 'episodes.forEditing']);
  const ends = Object.entries(workflow.connections).flatMap(([from, { main }]) => [
    from,
    ...main.flat().map(({ node }) => node),
  ]);
  expect(ends.filter((name) => !names.includes(name))).toEqual([]);
  expect(workflow.pinData['Episode published']![0]!.json.body).toEqual(sampleEvent('episode.published', runtime.now()));
  expect(workflow.nodes.find(({ parameters }) => parameters.jsonBody)!.parameters.jsonBody).toContain(
    'episode.published',
  );
});
