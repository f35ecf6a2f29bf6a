import { afterAll, afterEach, expect, test } from 'vitest';
import { assemblyAiTranscriber } from '~/server/adapters/transcriber/assemblyai';
import { engineCalls } from '~/server/adapters/transcriber/engine-call';
import { engineServer, hearPiece, PIECE } from '../../support/engine-server';

const server = await engineServer({ authorization: 'secret-key' });
const { answers, requests, waits } = server;
const settings = { url: server.url, key: 'secret-key', models: [] as string[] };
const engine = assemblyAiTranscriber(settings, server.calls);
afterEach(server.forget);
afterAll(server.close);

const UPLOADED = { body: { upload_url: 'https://cdn.assemblyai.com/upload/f756' } };
const order = (over: object) => ({ body: { id: '9ea68fd3', audio_url: 'x', error: null, ...over } });
const QUEUED = order({ status: 'queued', words: null });
const word = (text: string, start: number, end: number, speaker: string) => ({
  ...{ text, start, end, confidence: 0.9, speaker },
});
const WORDS = [word('Hello', 250, 650, 'A'), word('sea.', 730, 1022, 'A'), word('Bye!', 1100, 1500, 'B')];
const DONE = order({ status: 'completed', language_code: 'en_us', text: 'Hello sea. Bye!', words: WORDS });
const asked = () => requests.map(({ method, url }) => `${method} ${url}`);
const sentOrder = (at: number) => JSON.parse(requests[at]!.body.toString());

test('a piece is uploaded, ordered and asked for until it is ready; the order is kept before that', async () => {
  const kept: string[] = [];
  answers.push(UPLOADED, QUEUED, order({ status: 'processing', words: null }), DONE);

  const heard = await hearPiece(engine, {
    async onOrder(id) {
      kept.push(`${id} after ${requests.length} calls`);
    },
  });

  expect(asked()).toEqual(['POST /upload', 'POST /transcript', 'GET /transcript/9ea68fd3', 'GET /transcript/9ea68fd3']);
  expect(kept).toEqual(['9ea68fd3 after 2 calls']);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('secret-key'));
  expect(new Uint8Array(requests[0]!.body)).toEqual(PIECE.mp3);
  expect(sentOrder(1)).toEqual({
    ...{ audio_url: UPLOADED.body.upload_url, language_detection: true, speaker_labels: true },
  });
  expect(waits).toEqual([3000, 3000]);
  expect(heard).toMatchObject({
    language: 'en',
    passages: [
      { startMs: 250, endMs: 1022, text: 'Hello sea.', speaker: 'A', words: [{ confidence: 0.9 }, { text: 'sea.' }] },
      { startMs: 1100, endMs: 1500, text: 'Bye!', speaker: 'B' },
    ],
  });
});

test('a chosen language and models are sent; voices are left out where the service cannot tell them apart', async () => {
  const chosen = assemblyAiTranscriber({ ...settings, models: ['universal-3-pro', 'universal-2'] }, server.calls);
  const body = { error: 'The following models are not available in this language: speaker_labels' };
  answers.push(UPLOADED, { status: 400, body }, DONE);

  expect((await hearPiece(chosen, { language: 'eu' })).passages).toHaveLength(2);
  expect(sentOrder(2)).toEqual({
    ...{ audio_url: UPLOADED.body.upload_url, language_code: 'eu', speech_models: ['universal-3-pro', 'universal-2'] },
  });
});

test('phrases of up to six words are hints, and are left out first where the service refuses them', async () => {
  const refused = { status: 400, body: { error: 'keyterms_prompt is not supported for this model' } };
  answers.push(UPLOADED, refused, DONE);

  await hearPiece(engine, { terms: ['Altavoz', 'one two three four five six', 'one two three four five six seven'] });

  const wish = { audio_url: UPLOADED.body.upload_url, language_detection: true, speaker_labels: true };
  expect(sentOrder(1)).toEqual({ ...wish, keyterms_prompt: ['Altavoz', 'one two three four five six'] });
  expect(sentOrder(2)).toEqual(wish);
  expect(requests).toHaveLength(3);
});

test('a former order is asked for again, without another upload', async () => {
  answers.push(DONE);

  expect((await hearPiece(engine, { order: '9ea68fd3' })).passages).toHaveLength(2);
  expect(asked()).toEqual(['GET /transcript/9ea68fd3']);
});

test.each([
  ['was deleted', { status: 400, body: { error: 'Transcript lookup error, transcript id not found' } }],
  ['is missing', { status: 404, body: { error: 'Not found' } }],
  ['has failed', order({ status: 'error', error: 'Internal server error' })],
])('a former order that %s is placed again', async (_, answer) => {
  answers.push(answer, UPLOADED, QUEUED, DONE);

  expect((await hearPiece(engine, { order: 'former' })).passages).toHaveLength(2);
  expect(asked().slice(0, 3)).toEqual(['GET /transcript/former', 'POST /upload', 'POST /transcript']);
});

test('nobody speaks in a piece without a language', async () => {
  const error = 'language_detection cannot be performed on files with no spoken audio.';
  answers.push(UPLOADED, QUEUED, order({ status: 'error', error }));

  expect(await hearPiece(engine)).toEqual({ language: null, passages: [] });
});

test('an engine that is full, or breaks off, is asked again', async () => {
  answers.push({ status: 429, headers: { 'retry-after': '8' }, body: { error: 'Too many requests' } }, UPLOADED);
  answers.push(
    { status: 500, body: { error: 'Server error, developers have been alerted.' } },
    QUEUED,
    'hang up',
    DONE,
  );

  expect((await hearPiece(engine)).passages).toHaveLength(2);
  expect(waits).toEqual([8000, 1000, 3000, 1000]);
});

test('an order that never gets ready is given up, and can be asked for later', async () => {
  answers.push(UPLOADED, QUEUED);
  const calls = engineCalls({ url: server.url, headers: {} });

  const late = hearPiece(assemblyAiTranscriber(settings, calls), { signal: AbortSignal.timeout(200) });

  await expect(late).rejects.toMatchObject({ name: 'TranscriberUnavailable', message: 'no answer in time' });
  await calls.close();
});

test.each([
  ['account', { status: 401, body: { error: 'Authentication error, API token missing/invalid.' } }],
  ['account', { status: 400, body: { error: 'Your current account balance is negative. Please top up.' } }],
  ['answer', { body: 'not JSON' }],
  ['answer', { body: { id: '../elsewhere', status: 'queued' } }],
  ['answer', { body: { id: 'x', status: 'dreaming' } }],
  ['sound', order({ status: 'error', error: 'File does not appear to contain audio: secret-key' })],
])('the engine refuses: %s', async (reason, answer) => {
  answers.push(UPLOADED, answer);

  const refused = await hearPiece(engine).catch((error) => error);

  expect(refused).toMatchObject({ name: 'TranscriberRejected', reason });
  expect(refused.message).not.toContain('secret-key');
});

test('an order that failed at the service can succeed later', async () => {
  answers.push(UPLOADED, QUEUED, order({ status: 'error', error: 'Server error, please try again.' }));

  await expect(hearPiece(engine)).rejects.toMatchObject({ name: 'TranscriberUnavailable' });
});
