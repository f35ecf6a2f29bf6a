import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { Upload } from 'tus-js-client';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '~/db/cluster/port';
import { episodes as episodeTable } from '~/db/schema/episodes';
import { uploads as uploadTable } from '~/db/schema/media';
import { feedPath } from '~/server/base/public-paths';
import { requestUpload } from '~/server/domain/media/uploads';
import { cast } from '../support/cast';
import { noise } from '../support/mp3';
import { retryingProxy } from '../support/retrying-proxy';

const ROUNDS = 3;
const PER_SECOND = 20;
const STREAM_BYTES = 20_000_000;
const UPLOAD_BYTES = 30_000_000;
const SLOW_BYTES_PER_SECOND = 1_000_000;

const { runtime, url, clock, dataDir, tom, ctxOf, lucia, podcast, episodes } = await cast();
clock.now = new Date();
if (!existsSync('build/built')) spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
const ports = [await freePort(), await freePort()];
const proxy = await retryingProxy(ports);
const running = new Map<number, ChildProcess>();
afterAll(() => {
  proxy.close();
  for (const child of running.values()) child.kill('SIGKILL');
});

async function start(port: number): Promise<void> {
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_URL: `http://altavoz.localhost:${proxy.port}`,
    TRUST_PROXY: '1',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    WORKER: 'off',
    SEED_DEMO: '0',
    STOP_GRACE_SECONDS: '2',
    LOG_LEVEL: 'error',
  };
  const env = { ...process.env, ...settings, NODE_ENV: 'production' as const };
  const child = spawn(process.execPath, ['build/main/main.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  running.set(port, child);
  for (;;) {
    if ((await ask('/readyz', { port }))?.status === 200) return;
    if (child.exitCode !== null) throw new Error('the server did not start');
    await sleep(100);
  }
}

async function restart(port: number): Promise<number> {
  const child = running.get(port)!;
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  await start(port);
  return code;
}

type Ask = { port?: number; host?: string; method?: string; headers?: Record<string, string>; json?: unknown };
type Answer = { status: number; bytes: number; isWhole: boolean; headers: http.IncomingHttpHeaders };
const agent = new http.Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Sends a request; null if there is no answer. `slow` reads like a listener's player. */
function ask(path: string, { port = proxy.port, host, method, headers, json }: Ask = {}, slow = false) {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const sent = { host: `${host ?? 'altavoz.localhost'}:${proxy.port}`, ...headers };
  const typed = body ? { ...sent, 'content-type': 'application/json' } : sent;
  let isAnswered = false;
  return new Promise<Answer | null>((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', path, method, agent, headers: typed }, (response) => {
      let bytes = 0;
      isAnswered = true;
      const end = () =>
        resolve({ status: response.statusCode ?? 0, bytes, isWhole: response.complete, headers: response.headers });
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (!slow) return;
        response.pause();
        setTimeout(() => response.resume(), (chunk.length / SLOW_BYTES_PER_SECOND) * 1000);
      });
      response.on('close', end).on('error', () => {});
    });
    // a reset during an answer arrives here too
    request.on('error', () => isAnswered || resolve(null));
    request.end(body);
  });
}

const creatorHost = 'lucia.altavoz.localhost';
const episode = episodes.podcast.public;
const READS: [string, Ask][] = [
  ['/en/login', {}],
  ['/', { host: creatorHost }],
  [feedPath(podcast.slug), { host: creatorHost }],
  ['/api/discover/', {}],
  [`/api/podcasts/${podcast.id}/episodes_list/`, { headers: { authorization: `Token ${lucia.token}` } }],
  [`/api/podcast-episode-listen/${episode.id}/`, { method: 'POST', json: { session_id: 'rolling', seconds: 61 } }],
];

/** Sends requests at a steady rate. @returns the failures */
async function load(isOver: () => boolean): Promise<{ requests: number; failed: string[] }> {
  const pending: Promise<void>[] = [];
  const failed: string[] = [];
  let requests = 0;
  for (; !isOver(); await sleep(1000 / PER_SECOND)) {
    const [path, options] = READS[requests++ % READS.length]!;
    const check = (answer: Answer | null) => {
      const fine = answer?.isWhole && (options.method ? answer.status < 500 : answer.status === 200);
      if (!fine) failed.push(`${options.method ?? 'GET'} ${path}: ${answer ? answer.status : 'no answer'}`);
    };
    pending.push(ask(path, options).then(check));
  }
  await Promise.all(pending);
  return { requests, failed };
}

/** Uploads slowly, one file after the other, with the studio's client and its pauses. */
async function upload(isOver: () => boolean): Promise<number> {
  let done = 0;
  for (; !isOver(); done += 1) {
    const { key } = await requestUpload(
      { ...ctxOf(tom), now: () => new Date() },
      { fileName: 'ep.mp3', contentType: 'audio/mpeg', fileSize: UPLOAD_BYTES, purpose: 'episode_audio' },
    );
    await new Promise<void>((resolve, reject) => {
      new Upload(noise(UPLOAD_BYTES) as never, {
        endpoint: `http://127.0.0.1:${proxy.port}/uploads/tus`,
        metadata: { key },
        headers: { cookie: `token=${tom.token}`, host: `altavoz.localhost:${proxy.port}` },
        chunkSize: 256 * 1024,
        retryDelays: [200, 500, 1000, 2000],
        onError: reject,
        onSuccess: () => resolve(),
      }).start();
    });
    expect((await runtime.ports.storage.head(`incoming/${key}`))?.bytes).toBe(UPLOAD_BYTES);
    // each user may have at most twenty open uploads
    await runtime.db.delete(uploadTable).where(eq(uploadTable.key, key));
  }
  return done;
}

/** Plays audio slowly from start to end, and continues after each break. @returns the number of breaks */
async function play({ host, path }: { host: string; path: string }, isOver: () => boolean): Promise<number> {
  let cuts = 0;
  while (!isOver()) {
    let have = 0;
    for (let total = Number.POSITIVE_INFINITY; have < total; ) {
      const answer = await ask(path, { host, headers: { range: `bytes=${have}-` } }, true);
      if (answer?.status !== 206) throw new Error(`audio: ${answer?.status ?? 'no answer'}`);
      total = Number(/\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1]);
      have += answer.bytes;
      if (have < total) cuts += 1;
    }
    expect(have).toBe(STREAM_BYTES);
  }
  return cuts;
}

/** The URL of an episode in its feed, with a longer file. */
async function findAudio(): Promise<{ host: string; path: string }> {
  const audioKey = `audio/${lucia.creatorId}/${episode.id}/long.mp3`;
  await runtime.ports.storage.put(audioKey, noise(STREAM_BYTES), { contentType: 'audio/mpeg' });
  await runtime.db
    .update(episodeTable)
    .set({ audioKey, audioBytes: STREAM_BYTES, headBytes: 0, servedHead: null })
    .where(eq(episodeTable.id, episode.id));
  const feed = await fetch(`http://127.0.0.1:${ports[0]}${feedPath(podcast.slug)}`, {
    headers: { 'x-forwarded-host': `${creatorHost}:${proxy.port}` },
  });
  const items = (await feed.text()).split('<item>').filter((item) => item.includes(`/${episode.id}`));
  const enclosure = new URL(/<enclosure[^>]*url="([^"]+)"/.exec(items[0] ?? '')![1]!.replaceAll('&amp;', '&'));
  return { host: enclosure.hostname, path: enclosure.pathname + enclosure.search };
}

test('while two processes restart in turn, no request fails, and uploads and streams go on', async () => {
  await Promise.all(ports.map(start));
  const audio = await findAudio();
  let isOver = false;
  const over = () => isOver;

  const loading = Promise.all([load(over), upload(over), play(audio, over), play(audio, over)]);
  const codes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const port of ports) {
      await sleep(2000);
      codes.push(await Promise.race([restart(port), loading.then(() => Promise.reject(new Error('no load')))]));
    }
  isOver = true;
  const [{ requests, failed }, uploads, ...cuts] = await loading;

  console.log({ restarts: codes.length, requests, failed: failed.length, uploads, cutStreams: cuts });
  expect(failed).toEqual([]);
  expect(codes).toEqual(codes.map(() => 0));
  expect(uploads).toBeGreaterThan(0);
});
