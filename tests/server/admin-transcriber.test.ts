import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { deepgramTranscriber } from '~/server/adapters/transcriber/deepgram';
import { localTranscriber } from '~/server/adapters/transcriber/local';
import type { Transcriber } from '~/server/adapters/transcriber/port';
import { UsageError } from '~/server/admin/command';
import { transcriberCommands } from '~/server/admin/transcriber-commands';
import { openRecogniser } from '~/server/recognition/open-recogniser';
import { systemCtx } from '~/server/runtime/runtime';
import { engineServer } from '../support/engine-server';
import { testRuntime } from '../support/runtime';

const { runtime, transcriberSandbox } = await testRuntime();
(await transcriberSandbox!.get()).setPace(0);
const server = await engineServer({});
const deepgram = deepgramTranscriber({ url: server.url, key: 'x', model: 'nova-3' }, server.calls);
const STAND_IN = { packageName: path.resolve('tests/support/stand-in-sherpa.cjs'), memoryBytes: 4e9 };
afterEach(server.forget);
afterAll(server.close);

async function printed(options: Record<string, string> = {}, args: string[] = [], by?: Transcriber | null) {
  const ctx = systemCtx(runtime, 'operator');
  const ports = by === undefined ? ctx.ports : { ...ctx.ports, transcriber: by };
  const admin = { ctx: { ...ctx, ports }, env: {} as never, operator: { name: 'olga' } };
  const lines = await transcriberCommands.check!.run(admin, args, options);
  return Object.fromEntries(lines.map(({ what, value }) => [String(what), value]));
}

test('the engine hears a spoken recording; its language, words and speed are printed', async () => {
  const facts = await printed();

  expect(facts).toMatchObject({ engine: 'sandbox', language: 'en', text: expect.stringContaining('field guide') });
  expect(facts['words with times']).toBe(facts.words);
  expect(facts['seconds of sound']).toBeGreaterThan(15);
  expect(facts['times real time']).toBeGreaterThan(0);
  expect(facts['memory of this process in MB']).toBeGreaterThan(0);
});

test('another recording is Spanish', async () => {
  expect(await printed({ language: 'es' })).toMatchObject({ language: 'es' });
});

test('of an engine on this machine, its own memory is printed, and why it cannot start', async () => {
  const model = (dir: string) => localTranscriber(openRecogniser({ ...STAND_IN, modelDir: dir }), (work) => work());
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-model-'));
  for (const name of ['encoder.onnx', 'decoder.onnx', 'tokens.txt']) await writeFile(path.join(folder, name), '');
  const [works, broken] = [model(folder), model('/no/such/folder')];
  onTestFinished(async () => {
    await works.close();
    await rm(folder, { recursive: true });
  });

  const facts = await printed({ language: 'es' }, [], works);

  expect(facts).toMatchObject({ engine: 'local', language: 'es', text: expect.stringContaining('beep') });
  expect(facts['memory of the engine in MB']).toBeGreaterThan(20);
  await expect(printed({}, [], broken)).rejects.toThrow(
    'local: it cannot start (TRANSCRIBER_MODEL_DIR /no/such/folder',
  );
});

test.each([
  ['an account without money', { status: 402, body: {} }, /no money.*status 402/],
  ['a wrong address', { status: 404, body: '' }, /TRANSCRIBER_URL.*status 404/],
  ['another service', { body: {} }, /another shape/],
  ['no words', { body: { results: { channels: [{ alternatives: [{ words: [] }] }] } } }, /heard no words in the en/],
])('%s is a clear error', async (_, answer, message) => {
  server.answers.push(answer);

  const failed = await printed({}, [], deepgram).catch((error) => error);

  expect(failed).toBeInstanceOf(UsageError);
  expect(failed.message).toMatch(message);
});

test('an engine that is away, none at all and wrong options are clear errors', async () => {
  server.answers.push(...Array(4).fill({ status: 503, body: '' }));

  await expect(printed({}, [], deepgram)).rejects.toThrow('is away, or has no room: status 503');
  await expect(printed({}, [], null)).rejects.toThrow('set TRANSCRIBER');
  await expect(printed({ language: 'fr' })).rejects.toThrow(UsageError);
  await expect(printed({}, ['now'])).rejects.toThrow(UsageError);
});
