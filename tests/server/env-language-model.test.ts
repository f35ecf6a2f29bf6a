import { expect, test } from 'vitest';
import { parseEnv } from '~/server/env/read';

const url = 'https://models.example/v1';

test.each([
  [{}, null],
  [
    { LLM_URL: `${url}/`, LLM_MODEL: 'small' },
    { url, key: null, model: 'small' },
  ],
  [
    { LLM_URL: url, LLM_MODEL: 'small', LLM_API_KEY: 'secret' },
    { url, key: 'secret', model: 'small' },
  ],
])('%j is a language model', (values, expected) => {
  expect(parseEnv(values as Record<string, string>).languageModel).toEqual(expected);
});

test.each([
  [{ LLM_URL: url }, 'LLM_MODEL must be set'],
  [{ LLM_MODEL: 'small' }, 'LLM_URL must be set'],
  [{ LLM_API_KEY: 'secret' }, 'LLM_URL must be set'],
  [{ LLM_URL: 'models.example', LLM_MODEL: 'small' }, 'LLM_URL'],
])('%j is a mistake', (values, message) => {
  expect(() => parseEnv(values as unknown as Record<string, string>)).toThrow(message);
});
