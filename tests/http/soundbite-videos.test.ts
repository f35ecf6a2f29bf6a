import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { videoEncoder } from '~/server/adapters/converter/video-encoder';
import { earlier, later } from '~/server/base/time';
import { soundbiteVideosDoor } from '~/server/doors/files/soundbite-videos';
import { createSlots } from '~/server/flow/slots';
import { createListener } from '~/server/http/listener';
import { VIDEO_LIMITS } from '~/server/limits/soundbites';
import { cast } from '../support/cast';
import { insertionMakers } from '../support/insertions';
import { toolPath } from '../support/tools';

const ffmpeg = toolPath('ffmpeg');
const ffprobe = toolPath('ffprobe');
const { runtime, env, clock, lucia, ada, make } = await cast();
const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-videos-'));
const work = path.join(folder, 'work');
const encoder = (program: string) => videoEncoder({ program, folder: work, withSlot: createSlots(1) });
const ports = { ...runtime.ports, encodeVideo: ffmpeg ? encoder(ffmpeg) : null };
const served = { ...runtime, ports };
const door = soundbiteVideosDoor(served, 0);
const listener = createListener([door], (_, res) => void res.writeHead(404).end(), { log: runtime.log });
const server = http.createServer(listener);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  ports.encodeVideo = ffmpeg ? encoder(ffmpeg) : null;
});

const { soundEpisode } = insertionMakers(runtime, make);
const show = await make.product(lucia);
const episode = await soundEpisode(show, { seconds: 30 });
const soundbite = await lucia.api.soundbites.add({ episodeId: episode.id, title: 'A', startMs: 1000, endMs: 7000 });

const { host, origin } = new URL(env.urls.appUrl);
const wave = { x: 20, y: 160, width: 160, height: 40 };
const plan = { fromMs: [0, 3000], wave };
const plain = (background: string, width = 200, height = 200) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const [blue, green, red] = await Promise.all(['#0000ff', '#00ff00', '#ff0000'].map((color) => plain(color)));
const drawn = [blue!, green!, red!];

type Sent = { by?: { token: string } | null; plan?: unknown; pictures?: Buffer[]; headers?: Record<string, string> };

async function ask({ by = lucia, plan: wanted = plan, pictures = drawn, headers = {} }: Sent = {}) {
  const body = new FormData();
  body.append('plan', typeof wanted === 'string' ? wanted : JSON.stringify(wanted));
  for (const [i, bytes] of pictures.entries()) body.append('picture', new Blob([new Uint8Array(bytes)]), `${i}.png`);
  return send(body, { ...(by && { cookie: `token=${by.token}` }), ...headers });
}

/** `fetch` would set its own Host. */
async function send(body: FormData | string, headers: Record<string, string>, id = soundbite.id) {
  const sent = new Response(body);
  const bytes = Buffer.from(await sent.arrayBuffer());
  const type = sent.headers.get('content-type')!;
  return new Promise<{ status: number; type: string; body: Buffer }>((resolve, reject) => {
    const all = { host, origin, 'content-type': type, 'content-length': bytes.length, ...headers };
    const options = { port, path: `/soundbite-videos/${id}`, method: 'POST', headers: all };
    const request = http.request(options, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () =>
        resolve({ status: res.statusCode!, type: res.headers['content-type'] ?? '', body: Buffer.concat(parts) }),
      );
    });
    request.on('error', reject).end(bytes);
  });
}

const codeOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString()).code;

test.skipIf(!ffmpeg || !ffprobe)('the video shows each picture in its time, and a wave that fills', async () => {
  const answer = await ask();

  expect([answer.status, answer.type]).toEqual([200, 'video/mp4']);
  const file = path.join(folder, 'video.mp4');
  await writeFile(file, answer.body);
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height:format=duration', '-of', 'json', file];
  const { streams, format } = JSON.parse(execFileSync(ffprobe!, args, { encoding: 'utf8' }));
  expect(streams).toMatchObject([{ codec_name: 'h264', width: 200, height: 200 }, { codec_name: 'aac' }]);
  expect(Math.abs(Number(format.duration) - 6)).toBeLessThan(0.3);
  expect(await colorsAt(file, 1.5)).toEqual(['blue', 'red', 'blue']);
  expect(await colorsAt(file, 4.6)).toEqual(['green', 'red', 'green']);
  expect(await colorsAt(file, 5.8)).toEqual(['green', 'red', 'red']);
  expect(await readdir(work)).toEqual([]);
});

/** At the top, and in the wave near its beginning and at its end. */
async function colorsAt(file: string, seconds: number): Promise<string[]> {
  const args = [
    '-v',
    'error',
    '-ss',
    String(seconds),
    '-i',
    file,
    '-frames:v',
    '1',
    '-f',
    'image2pipe',
    '-c:v',
    'png',
    '-',
  ];
  const { data, info } = await sharp(execFileSync(ffmpeg!, args))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const places: [number, number][] = [
    [100, 20],
    [wave.x + 12, wave.y + 20],
    [wave.x + wave.width - 12, wave.y + 20],
  ];
  return places.map(([x, y]) => {
    const at = (y * info.width + x) * info.channels;
    const parts = [data[at]!, data[at + 1]!, data[at + 2]!];
    return ['red', 'green', 'blue'][parts.indexOf(Math.max(...parts))]!;
  });
}

test('only the team of its creator gets one, from our own pages', async () => {
  ports.encodeVideo = async () => Buffer.from('video');
  const statusOf = async (sent: Sent) => (await ask(sent)).status;

  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ by: ada })).toBe(404);
  expect(await statusOf({ by: null })).toBe(404);
  expect(await statusOf({ headers: { origin: 'https://elsewhere.example' } })).toBe(403);
  expect((await send('{}', { cookie: `token=${lucia.token}` }, 999_999)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/soundbite-videos/${soundbite.id}`)).status).toBe(405);
  expect(origin).toContain(host);
});

test.each<[string, Sent]>([
  ['no plan', { plan: '' }],
  ['a plan that is no JSON', { plan: '{' }],
  ['times that go back', { plan: { ...plan, fromMs: [0, 0] } }],
  ['a time after its end', { plan: { ...plan, fromMs: [0, 6000] } }],
  ['a thousand times', { plan: { ...plan, fromMs: Array.from({ length: 1000 }, (_, i) => i) } }],
  ['a wave of odd pixels', { plan: { ...plan, wave: { ...wave, x: 21 } } }],
  ['a wave outside', { plan: { ...plan, wave: { ...wave, y: 190 } } }],
  ['too few pictures', { pictures: [blue!, red!] }],
  ['too many pictures', { pictures: Array.from({ length: VIDEO_LIMITS.stills + 2 }, () => blue!) }],
  ['pictures of two sizes', { pictures: [blue!, green!, await plain('#ff0000', 400)] }],
  ['pictures of odd pixels', { pictures: await Promise.all(drawn.map(() => plain('#ff0000', 201, 201))) }],
  ['a picture with too many pixels', { pictures: await Promise.all(drawn.map(() => plain('#ff0000', 2000, 1200))) }],
  ['an SVG', { pictures: [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), green!, red!] }],
  ['a cut picture', { pictures: [blue!.subarray(0, 60), green!, red!] }],
])('%s is refused with a reason', async (_, sent) => {
  // reads everything, as FFmpeg does
  ports.encodeVideo = async ({ stills, played }) => {
    for (const { png } of stills) await png();
    return Buffer.from(await played());
  };
  const answer = await ask(sent);

  expect([answer.status, codeOf(answer)]).toEqual([400, 'soundbite.video_invalid']);
});

test('a form that ends in the middle is refused', async () => {
  ports.encodeVideo = async () => Buffer.from('video');
  const headers = { cookie: `token=${lucia.token}`, 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await send('--x\r\nContent-Disposition: form-data; name="plan"\r\n\r\n{', headers);

  expect([answer.status, codeOf(answer)]).toEqual([400, 'soundbite.video_invalid']);
});

test('pictures that are too large are refused', async () => {
  ports.encodeVideo = async () => Buffer.from('video');
  const large = Buffer.concat([blue!, Buffer.alloc(VIDEO_LIMITS.stillBytes)]);
  const answers = [
    await ask({ pictures: [large, green!, red!] }),
    await ask({ headers: { 'content-length': '999999999' } }),
  ];

  expect(answers.map(codeOf)).toEqual(['soundbite.video_too_large', 'soundbite.video_too_large']);
  expect(answers.map(({ status }) => status)).toEqual([413, 413]);
});

test('a creator has one at a time, and the next one after a failure', async () => {
  let [begin, end] = [() => {}, () => {}];
  // a request that asks before the first one has begun would be the first one
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const isOpen = new Promise<void>((resolve) => {
    end = resolve;
  });
  ports.encodeVideo = async () => {
    begin();
    await isOpen;
    throw new Error('FFmpeg has failed');
  };
  const first = ask();
  await hasBegun;
  expect(codeOf(await ask())).toBe('soundbite.video_busy');
  end();
  expect((await first).status).toBe(409);
  ports.encodeVideo = async () => Buffer.from('video');

  expect((await ask()).status).toBe(200);
});

test('a client that leaves ends the work, and may begin again at once', async () => {
  let isStopped = false;
  let begin = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  ports.encodeVideo = ({ signal }) =>
    new Promise((_, reject) => {
      begin();
      signal.addEventListener('abort', () => {
        isStopped = true;
        reject(signal.reason);
      });
    });
  const boundary = `--x\r\nContent-Disposition: form-data; name="plan"\r\n\r\n${JSON.stringify(plan)}\r\n`;
  const parts = drawn.map(
    (bytes) =>
      `--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n${bytes.toString('latin1')}\r\n`,
  );
  const body = Buffer.from(`${boundary}${parts.join('')}--x--\r\n`, 'latin1');
  const headers = { host, origin, cookie: `token=${lucia.token}`, 'content-type': 'multipart/form-data; boundary=x' };
  const options = { port, path: `/soundbite-videos/${soundbite.id}`, method: 'POST', headers };
  const request = http.request({ ...options, headers: { ...headers, 'content-length': body.length } });
  request.on('error', () => {}).end(body);
  await hasBegun;
  expect(codeOf(await ask())).toBe('soundbite.video_busy');
  request.destroy();

  await expect.poll(() => isStopped).toBe(true);
  ports.encodeVideo = async () => Buffer.from('video');
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('a client whose pictures arrive slowly loses its place to another creator, and nobody else does', async () => {
  ports.encodeVideo = async () => Buffer.from('video');
  const slow = await Promise.all(Array.from({ length: VIDEO_LIMITS.waiting }, beginSlowly));
  await expect.poll(async () => codeOf(await ask())).toBe('soundbite.video_busy');

  clock.now = later(clock.now, VIDEO_LIMITS.slowAfter);
  const answer = await ask();
  clock.now = earlier(clock.now, VIDEO_LIMITS.slowAfter);

  expect(answer.status).toBe(200);
  await expect.poll(() => slow.filter(({ closed }) => closed).length).toBe(1);
  for (const request of slow) request.destroy();
  await expect.poll(async () => (await ask()).status).toBe(200);
});

/** A creator whose client sends the beginning of a form, and then nothing. */
async function beginSlowly() {
  const owner = await make.creator();
  const { id: episodeId } = await soundEpisode(await make.product(owner), { seconds: 30 });
  const { id } = await owner.api.soundbites.add({ episodeId, title: 'B', startMs: 1000, endMs: 7000 });
  const headers = { host, origin, cookie: `token=${owner.token}`, 'content-type': 'multipart/form-data; boundary=x' };
  const options = { port, path: `/soundbite-videos/${id}`, method: 'POST' };
  const request = http.request({ ...options, headers: { ...headers, 'content-length': 10_000 } });
  request.on('error', () => {}).write('--x\r\n');
  return request;
}

test('a creator gets the next video when the one before has been sent', async () => {
  const large = Buffer.alloc(30_000_000);
  ports.encodeVideo = async () => large;
  const body = new FormData();
  body.append('plan', JSON.stringify(plan));
  for (const bytes of drawn) body.append('picture', new Blob([new Uint8Array(bytes)]), 'a.png');
  const sent = new Response(body);
  const bytes = Buffer.from(await sent.arrayBuffer());
  const headers = { host, origin, cookie: `token=${lucia.token}`, 'content-type': sent.headers.get('content-type')! };
  const options = { port, path: `/soundbite-videos/${soundbite.id}`, method: 'POST' };
  const request = http.request({ ...options, headers: { ...headers, 'content-length': bytes.length } }).end(bytes);
  const answer = await new Promise<http.IncomingMessage>((resolve) => request.on('response', resolve));
  expect(codeOf(await ask())).toBe('soundbite.video_busy');
  let received = 0;
  for await (const part of answer) received += (part as Buffer).length;

  expect(received).toBe(large.length);
  ports.encodeVideo = async () => Buffer.from('video');
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('a session that cannot be read is an answer, and ends no process', async () => {
  const { sessions } = served;
  served.sessions = { ...sessions, read: () => Promise.reject(new Error('the database is away')) };
  const answer = await ask();
  served.sessions = sessions;

  expect(answer.status).toBe(500);
});

test('without FFmpeg, or if it cannot be started, the answer says so', async () => {
  ports.encodeVideo = null;
  const without = await ask();
  ports.encodeVideo = encoder('/no/such/ffmpeg');

  expect([without.status, codeOf(without)]).toEqual([409, 'soundbite.video_unavailable']);
  expect(codeOf(await ask())).toBe('soundbite.video_unavailable');
});
