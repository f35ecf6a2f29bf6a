import path from 'node:path';
import { expect, test } from 'vitest';
import { parseEnv } from '~/server/env/read';

const settingsOf = (values: Record<string, string>) => parseEnv(values).transcription;
const [key, url] = ['secret', 'https://engine.example/v1'];

test.each([
  [{ TRANSCRIBER: 'none' }, null],
  [{}, { engine: 'sandbox' }],
  [
    { TRANSCRIBER: 'openai', TRANSCRIBER_KEY: key, TRANSCRIBER_MODEL: 'whisper-1' },
    { engine: 'openai', url: 'https://api.openai.com/v1', key, model: 'whisper-1', isTimed: true },
  ],
  [
    { TRANSCRIBER: 'openai', TRANSCRIBER_URL: `${url}/`, TRANSCRIBER_MODEL: 'small', TRANSCRIBER_TIMES: '0' },
    { engine: 'openai', url, key: null, model: 'small', isTimed: false },
  ],
  [
    { TRANSCRIBER: 'deepgram', TRANSCRIBER_KEY: key },
    { engine: 'deepgram', url: 'https://api.deepgram.com/v1', key, model: 'nova-3' },
  ],
  [
    { TRANSCRIBER: 'deepgram', TRANSCRIBER_URL: url, TRANSCRIBER_MODEL: 'nova-2' },
    { engine: 'deepgram', url, key: null, model: 'nova-2' },
  ],
  [
    { TRANSCRIBER: 'assemblyai', TRANSCRIBER_KEY: key },
    { engine: 'assemblyai', url: 'https://api.assemblyai.com/v2', key, models: [] },
  ],
  [
    { TRANSCRIBER: 'assemblyai', TRANSCRIBER_KEY: key, TRANSCRIBER_MODEL: 'universal-3-pro,universal-2' },
    { engine: 'assemblyai', url: 'https://api.assemblyai.com/v2', key, models: ['universal-3-pro', 'universal-2'] },
  ],
  [
    { TRANSCRIBER: 'local', TRANSCRIBER_MODEL_DIR: 'tests', TRANSCRIBER_MEMORY_MB: '800' },
    { engine: 'local', modelDir: path.resolve('tests'), memoryBytes: 800_000_000 },
  ],
])('%j is an engine', (values, expected) => {
  expect(settingsOf(values as Record<string, string>)).toEqual(expected);
});

test.each([
  [{ TRANSCRIBER: 'openai', TRANSCRIBER_MODEL: 'whisper-1' }, 'TRANSCRIBER_KEY must be set for OpenAI'],
  [{ TRANSCRIBER: 'openai', TRANSCRIBER_KEY: key }, 'TRANSCRIBER_MODEL must be set'],
  [{ TRANSCRIBER: 'deepgram' }, 'TRANSCRIBER_KEY must be set for Deepgram'],
  [{ TRANSCRIBER: 'assemblyai', TRANSCRIBER_URL: url }, 'TRANSCRIBER_KEY must be set for AssemblyAI'],
  [{ TRANSCRIBER: 'whisper' }, 'TRANSCRIBER'],
  [{ TRANSCRIBER: 'local' }, 'TRANSCRIBER_MODEL_DIR must be set'],
  [{ TRANSCRIBER: 'local', TRANSCRIBER_MODEL_DIR: '/no/such' }, 'TRANSCRIBER_MODEL_DIR is no folder: /no/such'],
  [{ TRANSCRIBER: 'local', TRANSCRIBER_MODEL_DIR: 'tests', TRANSCRIBER_MEMORY_MB: '9' }, 'TRANSCRIBER_MEMORY_MB'],
])('%j is refused', (values, message) => {
  expect(() => settingsOf(values as Record<string, string>)).toThrow(message);
});
