import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { engineCalls } from '~/server/adapters/transcriber/engine-call';
import { openAiTranscriber } from '~/server/adapters/transcriber/openai';
import { TRANSCRIPTION_LIMITS } from '~/server/limits/transcription';

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

const answers: (Answer | 'hang up')[] = [];
const requests: { url: string; key: string | undefined; form: FormData }[] = [];
const server = http.createServer(async (req, res) => {
  const body = Buffer.concat(await req.toArray());
  const headers = { 'content-type': req.headers['content-type'] ?? '' };
  const form = await new Response(body, { headers }).formData();
  requests.push({ url: req.url ?? '', key: req.headers.authorization, form });
  const answer = answers.shift() ?? { body: { text: '' } };
  if (answer === 'hang up') return void req.socket.destroy();
  res.writeHead(answer.status ?? 200, answer.headers);
  res.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

const waits: number[] = [];
const wait = async (milliseconds: number) => {
  waits.push(milliseconds);
  return null;
};
const settings = { url, key: 'secret-key', model: 'whisper-1', isTimed: true };
const calls = engineCalls({ url, headers: { authorization: 'Bearer secret-key' }, wait });
const engine = openAiTranscriber(settings, calls);
const piece = { mp3: new Uint8Array([255, 251, 144, 0]), durationMs: 10_000 };
const hear = (over: { language?: string | null; terms?: string[]; by?: typeof engine } = {}) =>
  (over.by ?? engine).hear(piece, {
    language: over.language ?? null,
    terms: over.terms ?? [],
    signal: new AbortController().signal,
    order: null,
    onOrder: async () => {},
  });

afterEach(() => {
  answers.length = 0;
  requests.length = 0;
  waits.length = 0;
});
afterAll(async () => {
  await calls.close();
  server.closeAllConnections();
  server.close();
});

test('the request has the documented fields, the piece and the key', async () => {
  await hear({ language: 'es' });

  const [{ url: path, key, form }] = requests as [(typeof requests)[0]];
  expect([path, key]).toEqual(['/v1/audio/transcriptions', 'Bearer secret-key']);
  expect(Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))).toMatchObject({
    model: 'whisper-1',
    response_format: 'verbose_json',
    language: 'es',
  });
  expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment']);
  const file = form.get('file') as File;
  expect([file.name, file.type, new Uint8Array(await file.arrayBuffer())]).toEqual([
    'piece.mp3',
    'audio/mpeg',
    piece.mp3,
  ]);
});

test('words to expect are the prompt, as many as the model reads; models that refuse prompts get none', async () => {
  await hear({ terms: ['Altavoz', 'Lucía Ferrer'] });
  await hear({ terms: Array.from({ length: 200 }, (_, number) => `Name ${number} of many`) });
  await hear();
  await hear({ terms: ['Altavoz'], by: openAiTranscriber({ ...settings, model: 'gpt-4o-transcribe-diarize' }, calls) });

  const [few, many, none, refused] = requests.map(({ form }) => form.get('prompt') as string | null);
  expect([few, none, refused]).toEqual(['Altavoz, Lucía Ferrer', null, null]);
  expect(many).toMatch(/^Name 0 of many, Name 1 of many, /);
  expect(many!.length).toBeGreaterThan(580);
  expect(many!.length).toBeLessThanOrEqual(600);
});

test('words without punctuation belong to the segment in which they are said', async () => {
  const segments = [
    { id: 0, start: 0, end: 1.5, text: ' Hello, sea.' },
    { id: 1, start: 1.5, end: 3, text: ' Bye!' },
  ];
  const words = [
    { word: 'Hello', start: 0.1, end: 0.6 },
    { word: 'sea', start: 0.7, end: 1.4 },
    { word: 'Bye', start: 1.6, end: 2 },
  ];
  answers.push({ body: { task: 'transcribe', language: 'spanish', duration: 10, text: 'x', segments, words } });

  expect(await hear()).toEqual({
    language: 'es',
    passages: [
      {
        ...{ startMs: 0, endMs: 1500, text: ' Hello, sea.' },
        words: [
          { text: 'Hello', startMs: 100, endMs: 600 },
          { text: 'sea', startMs: 700, endMs: 1400 },
        ],
      },
      { startMs: 1500, endMs: 3000, text: ' Bye!', words: [{ text: 'Bye', startMs: 1600, endMs: 2000 }] },
    ],
  });
});

test('words in their segments, as local servers send them, have their probability', async () => {
  const words = [{ word: ' Hola', start: 0, end: 0.5, probability: 0.75 }];
  answers.push({ body: { text: 'Hola', language: 'es', segments: [{ start: 0, end: 1, text: 'Hola', words }] } });

  expect(await hear()).toMatchObject({
    language: 'es',
    passages: [{ words: [{ text: ' Hola', startMs: 0, endMs: 500, confidence: 0.75 }] }],
  });
});

test('sentences that Whisper takes for silence are left out', async () => {
  const silence = { start: 0, end: 9, text: ' Thanks for watching!', no_speech_prob: 0.9, avg_logprob: -1.4 };
  answers.push({ body: { text: silence.text, segments: [silence] } });

  expect((await hear()).passages).toEqual([]);
});

test('a model without times gets shorter pieces, and its text is one passage', async () => {
  const untimed = openAiTranscriber({ ...settings, isTimed: false }, calls);
  answers.push({ body: { text: 'Hello' } });

  const heard = await hear({ by: untimed });

  expect(requests[0]!.form.get('response_format')).toBe('json');
  expect(untimed.pieceMs).toBe(TRANSCRIPTION_LIMITS.untimedPieceMs);
  expect(heard).toEqual({ language: null, passages: [{ startMs: 0, endMs: 10_000, text: 'Hello', words: [] }] });
});

test('a full engine is asked again after the time that it names, and a broken connection after a pause', async () => {
  answers.push({ status: 429, headers: { 'retry-after': '7' }, body: {} }, { status: 503, body: {} }, 'hang up');
  answers.push({ body: { text: 'Hello' } });

  expect((await hear()).passages).toHaveLength(1);
  expect(waits).toEqual([7000, 2000, 4000]);
});

test('an engine that stays full is away; nobody waits for longer than a minute', async () => {
  for (let i = 0; i < 4; i++) answers.push({ status: 429, headers: { 'retry-after': '86400' }, body: {} });

  await expect(hear()).rejects.toMatchObject({ name: 'TranscriberUnavailable', message: 'status 429' });
  expect(waits).toEqual([60_000, 60_000, 60_000]);
});

test.each([
  ['account', 401, {}],
  ['account', 402, {}],
  ['account', 429, { error: { code: 'insufficient_quota' } }],
  ['sound', 400, { error: { message: 'invalid file, secret-key' } }],
  ['answer', 200, 'not JSON'],
  ['answer', 200, { words: 7 }],
  ['answer', 200, { text: 'x'.repeat(TRANSCRIPTION_LIMITS.answerBytes) }],
])('the engine refuses: %s after status %i', async (reason, status, body) => {
  answers.push({ status, body });

  const refused = await hear().catch((error) => error);

  expect(refused).toMatchObject({ name: 'TranscriberRejected', reason });
  expect(refused.message).not.toContain('secret-key');
  expect(requests).toHaveLength(1);
});

test('a redirect would hand the key to another host, so it is not followed', async () => {
  for (let i = 0; i < 4; i++) answers.push({ status: 307, headers: { location: `${url}/elsewhere` }, body: {} });

  await expect(hear()).rejects.toMatchObject({ name: 'TranscriberUnavailable' });
  expect(requests.map((request) => request.url)).toEqual(Array(4).fill('/v1/audio/transcriptions'));
});
