// Serves the same bytes in two ways: /audio/1/ is a file, /audio/2/ a rendition. `delivery-server.ts <port> <folder>`
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { diskStore } from '~/server/adapters/storage/disk';
import { bufferSource } from '~/server/audio/bytes';
import { indexMp3 } from '~/server/audio/indexing';
import { type Rendition, splice } from '~/server/audio/splice';
import { createAudioDoor } from '~/server/doors/audio/audio';
import { createLog } from '~/server/watching/log';
import { assembleRendition } from '~/tests/support/decoding';
import { clipFile, hourFile } from './hour';

const [port, root = ''] = process.argv.slice(2);
const PLAIN = 'audio/plain.mp3';
const files = {
  'audio/episode.mp3': await readFile(await hourFile('cbr')),
  'audio/clip.mp3': await readFile(await clipFile(30)),
};

async function loadRecording(key: keyof typeof files) {
  const source = bufferSource(files[key]);
  const result = await indexMp3(source);
  if (!result.ok) throw new Error(result.reason);
  return { key, sha256: key, index: result.index, source };
}

async function createRendition(): Promise<Rendition> {
  const inserted = await loadRecording('audio/clip.mp3');
  const insertions = (['pre', 1_200_000, 2_400_000] as const).map((at) => ({ at, clip: inserted }));
  const result = await splice(await loadRecording('audio/episode.mp3'), insertions);
  if (!result.ok) throw new Error(result.reason);
  return result.rendition;
}

const store = await diskStore({ root, formUrl: (key) => key });
const rendition = await createRendition();
const objects = { ...files, [PLAIN]: assembleRendition(rendition, files) };
for (const [key, body] of Object.entries(objects)) await store.put(key, body, { contentType: 'audio/mpeg' });
const { segments, bytes, sha256 } = rendition;
const door = createAudioDoor({
  store,
  log: createLog('silent'),
  lookup: async (id) => (id === 1 ? { objectKey: PLAIN, bytes, sha256 } : { segments, bytes, sha256 }),
  onDelivered: () => {},
});
createServer((req, res) => {
  if (!door(req, res)) res.writeHead(200).end();
}).listen(Number(port), '127.0.0.1');
