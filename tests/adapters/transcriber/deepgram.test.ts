import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { deepgramTranscriber } from '~/server/adapters/transcriber/deepgram';
import { TRANSCRIPTION_LIMITS } from '~/server/limits/transcription';
import { engineServer, hearPiece, PIECE } from '../../support/engine-server';

const server = await engineServer({ authorization: 'Token secret-key' });
const { answers, requests, waits } = server;
const engine = deepgramTranscriber({ url: server.url, key: 'secret-key', model: 'nova-3' }, server.calls);
afterEach(server.forget);
afterAll(server.close);

const word = (text: string, start: number, end: number, speaker: number) => ({
  ...{ word: text.toLowerCase().replace(/\W/g, ''), start, end, confidence: 0.9 },
  ...{ speaker, speaker_confidence: 0.8, punctuated_word: text },
});
const ANSWER = {
  metadata: { request_id: 'a847f427-4ad5-4d67-9b95-db801e58251c', duration: 10, channels: 1, models: ['x'] },
  results: {
    channels: [
      {
        detected_language: 'es',
        language_confidence: 0.99,
        alternatives: [
          {
            ...{ transcript: 'Hola, mar. Adiós.', confidence: 0.99 },
            words: [word('Hola,', 0.08, 0.32, 0), word('mar.', 0.4, 0.9, 0), word('Adiós.', 1.2, 1.75, 1)],
          },
        ],
      },
    ],
  },
};
const heardWord = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs, confidence: 0.9 });

test('the piece is sent as it is, with the key; words have their times, their punctuation and their voices', async () => {
  answers.push({ body: ANSWER });

  const heard = await hearPiece(engine);

  expect(heard).toEqual({
    language: 'es',
    passages: [
      {
        ...{ startMs: 80, endMs: 900, text: 'Hola, mar.', speaker: '0' },
        words: [heardWord('Hola,', 80, 320), heardWord('mar.', 400, 900)],
      },
      { startMs: 1200, endMs: 1750, text: 'Adiós.', speaker: '1', words: [heardWord('Adiós.', 1200, 1750)] },
    ],
  });
  const [{ method, url, headers, body }] = requests as [(typeof requests)[0]];
  expect([method, headers.authorization, headers['content-type']]).toEqual(['POST', 'Token secret-key', 'audio/mpeg']);
  expect(new Uint8Array(body)).toEqual(PIECE.mp3);
  const { pathname, searchParams } = new URL(url, server.url);
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/listen',
    { model: 'nova-3', smart_format: 'true', diarize: 'true', detect_language: 'true' },
  ]);
});

test('a chosen language is not looked for', async () => {
  answers.push({ body: { results: { channels: [{ alternatives: [{ transcript: '', confidence: 0, words: [] }] }] } } });

  expect(await hearPiece(engine, { language: 'es' })).toEqual({ language: 'es', passages: [] });
  const query = new URL(requests[0]!.url, server.url).searchParams;
  expect([query.get('language'), query.get('detect_language')]).toEqual(['es', null]);
});

const TERMS = ['Altavoz', 'Lucía Ferrer', 'a:b'];

test.each<[string, string[][]]>([
  ['nova-3', TERMS.map((term) => ['keyterm', term])],
  ['nova-3-medical', TERMS.map((term) => ['keyterm', term])],
  ['nova-2-phonecall', [['keywords', 'Altavoz']]],
  ['whisper-large', []],
])('%s gets the words to expect in its own way', async (model, hints) => {
  const chosen = deepgramTranscriber({ url: server.url, key: 'secret-key', model }, server.calls);
  answers.push({ body: ANSWER });

  await hearPiece(chosen, { terms: TERMS });

  const query = new URL(requests[0]!.url, server.url).searchParams;
  expect([...query].filter(([name]) => name.startsWith('key'))).toEqual(hints);
});

test('no more key terms are sent than the service takes, and none where it refuses them', async () => {
  const refusal = { err_code: 'Bad Request', err_msg: 'Keyterms are not supported for this language', request_id: 'x' };
  answers.push({ status: 400, body: refusal }, { body: ANSWER });

  const heard = await hearPiece(engine, { terms: Array.from({ length: 200 }, (_, number) => `Name ${number}`) });

  const [sent, sentAgain] = requests.map(({ url }) => new URL(url, server.url).searchParams.getAll('keyterm'));
  expect([sent!.length, sentAgain]).toEqual([100, []]);
  expect(heard.passages).toHaveLength(2);
});

test('a full engine is asked again after the time that it names', async () => {
  const full = { err_code: 'TOO_MANY_REQUESTS', err_msg: 'Too many requests. Please try again later', request_id: 'x' };
  answers.push({ status: 429, headers: { 'retry-after': '9' }, body: full }, { status: 503, body: '' }, 'hang up');
  answers.push({ body: ANSWER });

  expect((await hearPiece(engine)).passages).toHaveLength(2);
  expect(waits).toEqual([9000, 2000, 4000]);
});

test('an engine that does not answer in time is away', async () => {
  answers.push('silence');
  const stopping = new AbortController();

  const late = hearPiece(engine, { signal: stopping.signal }).catch((error) => error);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  stopping.abort(new DOMException('too long', 'TimeoutError'));

  expect(await late).toMatchObject({ name: 'TranscriberUnavailable', message: 'no answer in time' });
});

test('a piece that nobody waits for is not asked for again', async () => {
  answers.push('silence');
  const stopping = new AbortController();

  const stopped = hearPiece(engine, { signal: stopping.signal }).catch((error) => error);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  stopping.abort(new Error('another piece failed'));

  expect(await stopped).toMatchObject({ message: 'another piece failed' });
});

test.each([
  ['account', 401, { err_code: 'INVALID_AUTH', err_msg: 'Invalid credentials.', request_id: 'x' }],
  ['account', 402, { err_code: 'ASR_PAYMENT_REQUIRED', err_msg: 'Not enough credits', request_id: 'x' }],
  ['account', 403, { err_code: 'INSUFFICIENT_PERMISSIONS', err_msg: 'secret-key', request_id: 'x' }],
  ['sound', 400, { err_code: 'Bad Request', err_msg: 'corrupt or unsupported data: secret-key', request_id: 'x' }],
  ['answer', 200, 'not JSON'],
  ['answer', 200, { results: { channels: [] } }],
  ['answer', 200, { results: { channels: [{ alternatives: [{ words: [{ word: 'x', start: 'soon' }] }] }] } }],
  ['answer', 200, { text: 'x'.repeat(TRANSCRIPTION_LIMITS.answerBytes) }],
])('the engine refuses: %s after status %i', async (reason, status, body) => {
  answers.push({ status, body });

  const refused = await hearPiece(engine).catch((error) => error);

  expect(refused).toMatchObject({ name: 'TranscriberRejected', reason });
  expect(refused.message).not.toContain('secret-key');
  expect(requests).toHaveLength(1);
});
