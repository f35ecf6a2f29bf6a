import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { webhookEndpoints } from '~/db/schema/webhooks';
import { EXPORTED_TABLES } from '~/server/domain/creator-backup/tables';
import { createLog } from '~/server/watching/log';
import { webhookStage } from '../domain/webhooks/webhook-stage';

const PUBLIC = '127.0.0.1';
/** What the name of the attacker's server resolves to; in this test, loopback is a public network. */
let resolved = [PUBLIC];
const resolve = async () => resolved.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const stage = await webhookStage({ resolve });
const { runtime, clock, db, lucia, ada, make, podcast, episodes, create, deliver, origin, at, answers, newPath } =
  stage;
const { endpointRow } = stage;
const lines: string[] = [];
runtime.log = createLog('debug', { write: (line) => void lines.push(line) });
const rename = (name: string) =>
  db.update(episodeRows).set({ name }).where(eq(episodeRows.id, episodes.podcast.public.id));
/** All attempts of an endpoint, as its log shows them. */
const attemptsOf = async (endpointId: string) =>
  (await lucia.api.webhooks.deliveries({ endpointId })).items.flatMap(({ attempts }) => attempts);

test.each([
  'http://hooks.example/x',
  'https://10.0.0.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://[::ffff:10.0.0.1]/x',
  'https://[fd00::1]/x',
  'https://2130706433.1/x',
  'https://0x7f.1.example.internal/x',
  'https://server.local/x',
  'https://user:word@hooks.example/x',
  'https://hooks.example:22/x',
  'ftp://hooks.example/x',
  'javascript:alert(1)',
])('%s is refused as an address', async (url) => {
  await expect(lucia.api.webhooks.create({ url, events: [] })).rejects.toThrow();
  const { id } = await create();
  await expect(lucia.api.webhooks.change({ endpointId: id, url, description: '', events: [] })).rejects.toThrow();
  await db.delete(webhookEndpoints);
});

test('an address whose name resolves to a private network later gets nothing', async () => {
  const path = newPath();
  const { port } = new URL(origin);
  // a name of loopback may have any port here, as the attacker's public name has port 443
  const { id } = await lucia.api.webhooks.create({ url: `http://rebound.localhost:${port}${path}`, events: [] });
  await rename('Public');
  await deliver();
  expect(at(path)).toHaveLength(1);

  for (const addresses of [['10.0.0.1'], [PUBLIC, '192.168.0.1'], ['fd00::1'], ['169.254.169.254']]) {
    resolved = addresses;
    await lucia.api.webhooks.test({ endpointId: id, type: 'show.created' });
    await deliver();
  }
  resolved = [PUBLIC];

  expect(at(path)).toHaveLength(1);
  const failures = (await attemptsOf(id)).flatMap(({ failure }) => failure ?? []);
  expect(new Set(failures)).toEqual(new Set(['fetch.address_private']));
  await db.delete(webhookEndpoints);
});

test('a redirect to another address is not followed, and an endless answer ends', async () => {
  const { id, path } = await create(['episode.updated']);
  answers.set(path, (res) => res.writeHead(307, { location: `${origin}/stolen` }).end());
  await rename('Redirected');
  await deliver();
  expect(at('/stolen')).toEqual([]);
  expect(await attemptsOf(id)).toMatchObject([{ status: 307 }]);
  await db.delete(webhookEndpoints);

  const endless = await create(['episode.updated']);
  answers.set(endless.path, (res) => {
    res.writeHead(500);
    const more = () => {
      while (res.writable && res.write('x'.repeat(16_384)));
    };
    res.on('drain', more);
    more();
  });
  await rename('Endless');
  await deliver();
  expect(await attemptsOf(endless.id)).toMatchObject([{ status: 500, answer: 'x'.repeat(500), isCut: true }]);
  const [{ id: deliveryId } = { id: 0 }] = await stage.deliveriesOf(endless.id);
  const whole = await lucia.api.webhooks.delivery({ endpointId: endless.id, deliveryId });
  expect(whole.attempts).toMatchObject([{ answer: 'x'.repeat(64_000), isCut: false }]);
  await db.delete(webhookEndpoints);
});

test('the endpoints of another creator can’t be read, changed, used or deleted', async () => {
  const { id: endpointId } = await create();
  await lucia.api.webhooks.test({ endpointId, type: 'show.created' });
  const [delivery] = await stage.deliveriesOf(endpointId);
  const theirs = ada.creatorId ? ada : await make.creator();
  const { webhooks } = theirs.api;
  const calls = [
    () => webhooks.deliveries({ endpointId }),
    () => webhooks.delivery({ endpointId, deliveryId: delivery!.id }),
    () => webhooks.change({ endpointId, url: 'https://hooks.example/', description: '', events: [] }),
    () => webhooks.rotateSecret({ endpointId }),
    () => webhooks.switch({ endpointId, isOn: false }),
    () => webhooks.test({ endpointId, type: 'show.created' }),
    () => webhooks.redeliver({ endpointId, deliveryId: delivery!.id }),
    () => webhooks.remove({ endpointId }),
  ];

  const before = await endpointRow(endpointId);
  for (const call of calls) await expect(call()).rejects.toThrow('webhook.not_found');
  expect(await webhooks.list()).toEqual([]);
  expect(await endpointRow(endpointId)).toEqual(before);
  await db.delete(webhookEndpoints);
});

test('fifty requests at once add ten endpoints', async () => {
  const owner = await make.creator();
  const url = 'https://hooks.example/race';

  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => owner.api.webhooks.create({ url, events: [] })),
  );

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(await owner.api.webhooks.list()).toHaveLength(10);
});

test('messages to chats mention nobody, whatever an episode is called, in the owner’s language', async () => {
  const [slack, discord] = [newPath(), newPath()];
  const events = ['episode.published' as const, 'report.ready' as const];
  await lucia.api.webhooks.create({ kind: 'slack', url: origin + slack, events });
  await lucia.api.webhooks.create({ kind: 'discord', url: origin + discord, events });
  const name = '<!channel> @everyone **bold** [x](https://evil.example) & more';
  await db.update(products).set({ name: 'Olas' }).where(eq(products.id, podcast.id));
  const set = { status: 'on_hold', name } as const;
  await db.update(episodeRows).set(set).where(eq(episodeRows.id, episodes.podcast.public.id));
  await db.update(episodeRows).set({ status: 'published' }).where(eq(episodeRows.id, episodes.podcast.public.id));
  await deliver();

  const [toSlack, toDiscord] = [slack, discord].map((path) => JSON.parse(at(path)[0]!.body));
  expect(toSlack.mrkdwn).toBe(false);
  expect(toSlack.text).toContain('&lt;!channel&gt; @everyone **bold**');
  expect(toSlack.text).toMatch(/\nhttp:\/\/staging-[^\s]+\/[^\s]+$/);
  expect(toDiscord.allowed_mentions).toEqual({ parse: [] });
  expect(toDiscord.content).toContain('\\@everyone \\*\\*bold\\*\\*');
  expect(at(slack)[0]!.headers['webhook-signature']).toBeUndefined();
  await db.delete(webhookEndpoints);
});

test('secrets and the addresses of chats are in no log, no answer and no backup', async () => {
  const { id, secret } = await create(['episode.updated']);
  const { secret: second } = await lucia.api.webhooks.rotateSecret({ endpointId: id });
  const chat = newPath();
  const kind = { kind: 'slack', events: ['episode.published' as const] } as const;
  const { id: chatId } = await lucia.api.webhooks.create({ ...kind, url: origin + chat });
  await lucia.api.webhooks.test({ endpointId: chatId, type: 'episode.published' });
  answers.set(chat, (res) => res.destroy());
  await rename('Logged');
  await deliver();

  const read = JSON.stringify([
    await lucia.api.webhooks.list(),
    await lucia.api.webhooks.deliveries({ endpointId: id }),
  ]);
  const stored = JSON.stringify(await endpointRow(id));
  for (const word of [secret!, second, secret!.slice(6), second.slice(6)]) {
    expect(lines.join('')).not.toContain(word);
    expect(read).not.toContain(word);
    expect(stored).not.toContain(word);
  }
  expect(lines.join('')).not.toContain(`${chat}"`);
  expect(EXPORTED_TABLES.filter(({ name }) => name.startsWith('webhook'))).toEqual([]);
  expect(clock.now).toEqual(runtime.now());
});
