import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundle, ENTRIES } from '~/scripts/bundle.mjs';
import { localTranscriber } from '~/server/adapters/transcriber/local';
import { MINUTES } from '~/server/base/time';
import { createSlots } from '~/server/flow/slots';
import { openRecogniser, type RecogniserSettings } from '~/server/recognition/open-recogniser';
import { beepsMp3 } from '../support/beeps';
import { SCRATCH } from '../support/scratch';

const STAND_IN = path.resolve('tests/support/stand-in-sherpa.cjs');
const WITHOUT_BUILD = path.resolve('tests/support/stand-in-without-build.cjs');
const STARTS = [500, 1200, 4000];
const mp3 = await beepsMp3(STARTS, 6000);

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await fs.mkdtemp(path.join(SCRATCH, 'altavoz-model-'));
  onTestFinished(() => fs.rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await fs.writeFile(path.join(folder, name), text);
  return folder;
}

type Options = Partial<RecogniserSettings> & { behaviour?: string; open?: typeof openRecogniser };

/** The real process, with a module of the package's shape. */
async function engine({ behaviour = 'usual', open = openRecogniser, ...settings }: Options = {}) {
  const modelDir = await folderWith({ 'tiny-encoder.onnx': '', 'tiny-decoder.onnx': '', 'tokens.txt': behaviour });
  const given = { modelDir, memoryBytes: 4_000_000_000, packageName: STAND_IN, ...settings };
  const recogniser = open(given);
  onTestFinished(recogniser.close);
  const { hear, usedMemory } = localTranscriber(recogniser, createSlots(1));
  return {
    usedMemory,
    hear: (over: { mp3?: Uint8Array<ArrayBuffer>; language?: string; signal?: AbortSignal } = {}) =>
      hear(
        { mp3: over.mp3 ?? mp3, durationMs: 6000 },
        {
          language: over.language ?? null,
          signal: over.signal ?? AbortSignal.timeout(MINUTES(5)),
          ...{ terms: [], order: null, onOrder: async () => {} },
        },
      ),
  };
}

test('words have the times at which they are heard, and a long pause divides passages', async () => {
  const { hear, usedMemory } = await engine();

  const { language, passages } = await hear();

  expect(language).toBe('en');
  expect(passages.map(({ text }) => text)).toEqual(['beep beep', 'beep']);
  const words = passages.flatMap((passage) => passage.words);
  for (const [i, { startMs }] of words.entries()) expect(Math.abs(startMs - STARTS[i]!)).toBeLessThan(80);
  expect(await usedMemory!()).toBeGreaterThan(20_000_000);
});

test('without times, the words share the speech between two pauses', async () => {
  const { hear } = await engine({ behaviour: 'no times' });

  const { passages } = await hear();

  const [first, second] = passages.flatMap((passage) => passage.words);
  expect(passages.map(({ text }) => text)).toEqual(['beep beep', 'beep']);
  expect(Math.abs(first!.startMs - 400)).toBeLessThan(150);
  expect(first!.endMs).toBe(second!.startMs);
});

test('a chosen language is handed to the model, one that it does not know is not', async () => {
  const { hear } = await engine();
  const telling = await engine({ behaviour: 'tell its language' });
  const settingFor = async (language?: string) => (await telling.hear({ language })).passages[0]!.text;

  expect((await hear({ language: 'es' })).language).toBe('es');
  expect((await hear({ language: 'qu' })).language).toBe('en');
  expect(await settingFor('es')).toMatch(/^es/);
  expect(await settingFor('qu')).toMatch(/^none/);
  expect(await settingFor()).toMatch(/^none/);
});

test('silence has no words', async () => {
  const { hear } = await engine();

  expect(await hear({ mp3: await beepsMp3([], 3000) })).toEqual({ language: null, passages: [] });
});

test('a process that dies fails its piece for now, and the next piece starts another one', async () => {
  const { hear } = await engine({ behaviour: 'die once' });

  await expect(hear()).rejects.toMatchObject({ name: 'TranscriberUnavailable', message: /ended with SIGABRT/ });
  expect((await hear()).passages).toHaveLength(2);
});

test.each([
  ['dies', { behaviour: 'die while loading' }, /ended with SIGABRT/],
  ['needs too much memory', { memoryBytes: 10_000_000 }, /more than TRANSCRIBER_MEMORY_MB=10/],
  ['has no package', { packageName: 'no-such-package' }, /run npm install sherpa-onnx-node/],
  ['has a package without a build', { packageName: WITHOUT_BUILD }, /has no build for .* \(Could not find/],
  ['has no folder', { modelDir: '/no/such/folder' }, /\/no\/such\/folder can't be read \(ENOENT\)/],
])('a model that %s while it is loaded is not set up', async (_, settings, message) => {
  const { hear } = await engine(settings);

  await expect(hear()).rejects.toMatchObject({ name: 'TranscriberRejected', reason: 'setup', message });
});

test('a folder without a model is refused with what is in it', async () => {
  const { hear } = await engine({ modelDir: await folderWith({ 'notes.md': '', 'tokens.txt': '' }) });

  await expect(hear()).rejects.toMatchObject({
    reason: 'setup',
    message: /no model of a known kind: notes.md, tokens.txt/,
  });
});

test.each([
  ['a piece that is no MP3', {}, { mp3: new Uint8Array(5000).fill(7) }, 'sound'],
  ['a result that cannot be read', { behaviour: 'broken answer' }, {}, 'answer'],
])('%s is refused', async (_, settings, piece, reason) => {
  const { hear } = await engine(settings);

  await expect(hear(piece)).rejects.toMatchObject({ name: 'TranscriberRejected', reason });
});

test('a model that grows beyond its memory is ended', async () => {
  const { hear } = await engine({ behaviour: 'grow', memoryBytes: 350_000_000 });

  await expect(hear()).rejects.toMatchObject({ name: 'TranscriberUnavailable', message: /MEMORY_MB=350/ });
});

test('pieces are heard one after the other by one process, and an aborted one ends it', async () => {
  const { hear } = await engine({ behaviour: 'hang' });
  const stopping = new AbortController();

  const pieces = [hear({ signal: stopping.signal }), hear({ signal: stopping.signal })];
  stopping.abort(new Error('the run was cancelled'));

  for (const { reason } of (await Promise.allSettled(pieces)) as PromiseRejectedResult[])
    expect(reason.message).toBe('the run was cancelled');
});

test('a piece that takes too long may be heard later', async () => {
  const { hear } = await engine({ behaviour: 'hang' });

  const failed = hear({ signal: AbortSignal.timeout(50) });

  await expect(failed).rejects.toMatchObject({ name: 'TranscriberUnavailable', message: 'no result in time' });
});

test('pieces share a process until it was idle for some time', async () => {
  const busy = await engine({ behaviour: 'count' });
  const idle = await engine({ behaviour: 'count', idleMs: 1 });
  const textsOf = async ({ hear }: typeof busy) => {
    const first = await hear();
    await sleep(100);
    return [first, await hear()].map(({ passages }) => passages[0]!.text);
  };

  expect(await textsOf(busy)).toEqual(['1', '2']);
  expect(await textsOf(idle)).toEqual(['1', '1']);
});

test('the built process hears, too', async () => {
  const folder = await folderWith({});
  const entries = { 'open-recogniser': 'server/recognition/open-recogniser.ts' };
  await bundle({ ...entries, 'recogniser-process': ENTRIES['recogniser-process'] }, folder);
  await fs.symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const built = await import(/* @vite-ignore */ pathToFileURL(path.join(folder, 'open-recogniser.js')).href);

  const { hear } = await engine({ open: built.openRecogniser });

  expect((await hear()).passages).toHaveLength(2);
});
