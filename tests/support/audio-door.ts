import { readdir, readlink } from 'node:fs/promises';
import { type Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { splice } from '~/server/audio/splice';
import { writeId3 } from '~/server/audio/tags';
import { createAudioDoor, type Delivered, type Enclosure } from '~/server/doors/audio/audio';
import { createLog } from '~/server/watching/log';
import { assembleRendition, recordingOf } from './decoding';
import { lameFrames } from './encodings';
import { noise } from './mp3';

/** An enclosure and its bytes. */
export type AudioSample = { name: string; id: number; enclosure: Enclosure; body: Buffer };

const FORM = { sampleRate: 44_100, channels: 2 } as const;
const KEYS = { plain: 'audio/1/7/plain.mp3', episode: 'audio/1/8/episode.mp3', clip: 'audio/1/clips/clip.mp3' };

let made: ReturnType<typeof makeRendition> | undefined;

/** 40 seconds of audio with an ID3 tag and a clip at four positions. */
export function rendition() {
  made ??= makeRendition();
  return made;
}

async function makeRendition() {
  const episodeFile = await lameFrames({ ...FORM, seconds: 40 }, { bitrate: 128 });
  const clipFile = await lameFrames({ ...FORM, seconds: 2, seed: 3 }, { bitrate: 128 });
  const files = { [KEYS.episode]: episodeFile, [KEYS.clip]: clipFile };
  const clip = await recordingOf(KEYS.clip, clipFile);
  const insertions = (['pre', 12_000, 25_000, 'post'] as const).map((at) => ({ at, clip }));
  const tag = writeId3({ title: 'Con anuncios' });
  const result = await splice(await recordingOf(KEYS.episode, episodeFile), insertions, { id3: tag });
  if (!result.ok) throw new Error(result.reason);
  return { ...result.rendition, files, whole: assembleRendition(result.rendition, files) };
}

/** Stores a plain file (id 7) and a rendition (id 8). */
export async function storeSamples(store: ObjectStore): Promise<AudioSample[]> {
  const plain = noise(3_000_000, 3);
  const { files, whole, segments, bytes, sha256 } = await rendition();
  for (const [key, file] of Object.entries({ ...files, [KEYS.plain]: plain }))
    await store.put(key, file, { contentType: 'audio/mpeg' });
  const file = { objectKey: KEYS.plain, bytes: plain.length, sha256: '5ha' };
  return [
    { name: 'a plain file', id: 7, enclosure: file, body: plain },
    { name: 'a rendition', id: 8, enclosure: { segments, bytes, sha256 }, body: whole },
  ];
}

/** The parts of the segments that the bytes `start` to `end` cover. A plain file is one segment. */
export function partsOf({ enclosure }: AudioSample, start: number, end: number) {
  const sizes = 'segments' in enclosure ? enclosure.segments.map(({ bytes }) => bytes) : [enclosure.bytes];
  let at = 0;
  return sizes.flatMap((size, index) => {
    const [from, to] = [Math.max(start, at), Math.min(end + 1, at + size)];
    const part = { part: index, offset: from - at, bytes: to - from };
    at += size;
    return part.bytes > 0 ? [part] : [];
  });
}

export type Door = {
  port: number;
  delivered: Delivered[];
  logged: { msg: string }[];
  connections(): Promise<number>;
  close(): Promise<void>;
};

/** The audio door on a separate server. Keeps the deliveries and log lines that the door reports. */
export async function serveAudio(store: ObjectStore, samples: Pick<AudioSample, 'id' | 'enclosure'>[]): Promise<Door> {
  const delivered: Delivered[] = [];
  const logged: { msg: string }[] = [];
  const door = createAudioDoor({
    store,
    log: createLog('error', { write: (line) => logged.push(JSON.parse(line)) }),
    lookup: async (id) => samples.find((sample) => sample.id === id)?.enclosure ?? null,
    onDelivered: (done) => delivered.push(done),
  });
  const server = createServer((req, res) => {
    if (!door(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    delivered,
    logged,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export type AudioResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };
type RequestOptions = { method?: string; headers?: Record<string, string>; agent?: Agent };

export function requestAudio(
  { port }: { port: number },
  path: string | number,
  options: RequestOptions = {},
): Promise<AudioResponse> {
  const { method = 'GET', headers = {}, agent = false } = options;
  const at = typeof path === 'number' ? `/audio/${path}/name.mp3` : path;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: at, headers, agent }, (res) => {
      const answer = (parts: Buffer[]) =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(parts) });
      res.toArray().then(answer, reject);
    });
    sent.on('error', reject).end();
  });
}

/** Sends a request, and reads no response until the test resumes the socket. */
export function requestPaused({ port }: { port: number }, id: number): Socket {
  const socket = connect(port, '127.0.0.1')
    .on('error', () => {})
    .pause();
  socket.write(`GET /audio/${id}/name.mp3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return socket;
}

export async function openFilesBelow(root: string): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((target) => target.startsWith(root)).length;
}

/** Waits for the condition, at most ten seconds. The test asserts it afterwards. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500 && !(await condition()); tries++) await wait(20);
}
