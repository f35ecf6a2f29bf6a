import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { episodeAudioDoor } from '~/server/doors/audio/episode-audio';
import { createEnclosureCache } from '~/server/http/caches/enclosure-cache';
import { cast } from '../support/cast';

const BODY = randomBytes(1_921_000);
const PLAYER = { 'user-agent': 'AntennaPod/3.1.2' };

const { runtime, clock, make } = await cast();
// the migrations create partitions around the real date
clock.now = new Date();
const enclosures = createEnclosureCache(runtime);
const door = episodeAudioDoor(runtime, { trustedProxies: 1, enclosures });
const server = http.createServer((req, res) => void door(req, res));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function publishedAudio({ body = BODY, ...over }: { type?: 'private'; body?: Buffer } = {}) {
  const creator = await make.creator();
  const product = await make.product(creator);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const columns = { audioSha256: sha256, audioBytes: body.length, ...over };
  const [episode] = await make.episodes(product, 1, () => columns);
  await runtime.ports.storage.put(episode!.audioKey!, body, { contentType: 'audio/mpeg' });
  return { creator, id: episode!.id, sha256 };
}

/** Uses a new connection that the client closes after the last byte, as players do. */
function fetchAudio(id: number, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const options = { port, path: `/audio/${id}/name.mp3`, agent: false, headers: { ...PLAYER, ...headers } };
    const request = http.get(options, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () => {
        request.destroy();
        resolve({ status: res.statusCode ?? 0, body: Buffer.concat(parts) });
      });
    });
    request.on('error', reject);
  });
}

async function downloadsOf(id: number) {
  await runtime.recorders.drained();
  const [row] = await runtime.db.execute(sql`
    select (select count(*)::int from downloads where episode_id = ${id}) as rows,
      coalesce((select downloads::int from episode_totals where episode_id = ${id}), 0) as counted`);
  return row;
}

test('an episode fetched several times by one listener counts as one download', async () => {
  const { id } = await publishedAudio();

  for (let i = 0; i < 10; i++) expect((await fetchAudio(id)).body.equals(BODY)).toBe(true);

  expect(await downloadsOf(id)).toEqual({ rows: 1, counted: 1 });
});

test('ranges of one listener are combined, and robots and probes do not count', async () => {
  const { id } = await publishedAudio();

  const part = await fetchAudio(id, { range: 'bytes=0-600000' });
  await fetchAudio(id, { 'user-agent': 'curl/8.5.0' });
  await fetchAudio(id, { 'user-agent': 'Podcasts/1', range: 'bytes=0-1' });
  expect(part.status).toBe(206);
  expect(await downloadsOf(id)).toEqual({ rows: 1, counted: 0 });

  await fetchAudio(id, { range: 'bytes=500000-1000000' });
  expect(await downloadsOf(id)).toEqual({ rows: 1, counted: 1 });
});

test('behind a trusted proxy, listeners are distinguished by their forwarded addresses', async () => {
  const { id } = await publishedAudio();

  for (const address of ['198.51.100.1', '198.51.100.2', '2001:db8:1:2::a', '2001:db8:1:2::b']) {
    await fetchAudio(id, { 'x-forwarded-for': address });
  }

  expect(await downloadsOf(id)).toEqual({ rows: 3, counted: 3 });
});

test('a private episode is sent only to its owner, and an unchanged copy is not sent again', async () => {
  const { creator, id, sha256 } = await publishedAudio({ type: 'private' });
  const { token } = creator;

  const visitor = await fetchAudio(id);
  const owner = await fetchAudio(id, { cookie: `token=${token}` });
  const again = await fetchAudio(id, { cookie: `token=${token}`, 'if-none-match': `"${sha256}"` });

  expect([visitor.status, owner.status, again.status]).toEqual([404, 200, 304]);
});

test('a change ends access at once, and without its announcement within seconds', async () => {
  const hide = (id: number) => runtime.db.update(episodes).set({ status: 'on_hold' }).where(eq(episodes.id, id));
  const [one, other] = [await publishedAudio(), await publishedAudio()];
  expect([(await fetchAudio(one.id)).status, (await fetchAudio(other.id)).status]).toEqual([200, 200]);

  await Promise.all([hide(one.id), hide(other.id)]);
  enclosures.clear();
  expect((await fetchAudio(one.id)).status).toBe(404);

  const third = await publishedAudio();
  await fetchAudio(third.id);
  await hide(third.id);
  await expect.poll(async () => (await fetchAudio(third.id)).status).toBe(404);
});

test('a row that was read before a change is not kept', async () => {
  const { id } = await publishedAudio();

  const reading = enclosures.find(id);
  enclosures.clear();
  await reading;
  await runtime.db.update(episodes).set({ status: 'on_hold' }).where(eq(episodes.id, id));

  expect((await fetchAudio(id)).status).toBe(404);
});

test('a listener who leaves after the first bytes has not downloaded the episode', async () => {
  // half of the file, a minute of audio, is more than the sockets buffer
  const { id } = await publishedAudio({ body: randomBytes(32_000_000) });

  await new Promise<void>((resolve) => {
    const options = { port, path: `/audio/${id}/name.mp3`, agent: false, headers: PLAYER };
    http.get(options, (res) => res.once('data', () => res.destroy()).once('close', resolve));
  });

  await expect.poll(() => downloadsOf(id)).toEqual({ rows: 1, counted: 0 });
});
