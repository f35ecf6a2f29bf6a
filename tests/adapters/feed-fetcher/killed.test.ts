import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, stop } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setUpFetcher } from '../../support/fetcher-setup';
import { noise } from '../../support/mp3';
import { setUpStorage } from '../../support/temporary-storage';

vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);
const KEY = 'incoming/episode-7';
const AUDIO = noise(300_000, 5);
const SHA256 = createHash('sha256').update(AUDIO).digest('hex');

let script: string;
/** Bundled once: a process that compiles TypeScript takes seconds to start. */
beforeAll(async () => {
  const folder = await mkdtemp(path.resolve('node_modules/.download-child-'));
  script = path.join(folder, 'download-child.mjs');
  await build({
    entryPoints: ['tests/support/download-child.ts'],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  await stop();
});
afterAll(() => rm(path.dirname(script), { recursive: true }));

const setup = setUpFetcher();
const storage = setUpStorage();

/** Serves AUDIO with ranges, without ETag or date. */
async function serveAudio() {
  const requests: string[] = [];
  await setup.serve((request, response) => {
    requests.push(request.headers.range ?? 'all');
    const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
    const range = from > 0 && { 'content-range': `bytes ${from}-${AUDIO.length - 1}/${AUDIO.length}` };
    response.writeHead(range ? 206 : 200, { 'content-length': AUDIO.length - from, ...range });
    response.end(AUDIO.subarray(from));
  });
  return requests;
}

const child = (moment = '') => run(process.execPath, [script, storage.root, setup.url('/7.mp3'), KEY, moment]);

test.each([
  ['between two parts', 2],
  ['before the parts are joined', 1],
  ['after the parts were joined', 1],
  ['while the parts are removed', 2],
])('a download killed %s is completed by the next process, without leftover files', async (moment, requestCount) => {
  const requests = await serveAudio();
  await expect(child(moment)).rejects.toMatchObject({ signal: 'SIGKILL' });

  const { stdout } = await child();

  expect(JSON.parse(stdout)).toMatchObject({ bytes: AUDIO.length, sha256: SHA256 });
  expect((await storage.read(KEY)).equals(AUDIO)).toBe(true);
  expect(await storage.files()).toEqual([KEY]);
  expect(requests).toHaveLength(requestCount);
});
