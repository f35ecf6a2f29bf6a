import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { chatModel } from '~/server/adapters/language-model/chat';
import { engineServer } from '../../support/engine-server';

const server = await engineServer({ authorization: 'Bearer secret-key' });
const { answers, requests, waits } = server;
const model = chatModel({ url: server.url, key: 'secret-key', model: 'small' }, server.calls);
afterEach(server.forget);
afterAll(server.close);

const content = (text: string) => ({
  body: { choices: [{ index: 0, message: { role: 'assistant', content: text } }] },
});
const ask = (signal = new AbortController().signal) => model.ask({ instructions: 'Help.', data: '{"a":1}', signal });
const sent = (at: number) => JSON.parse(requests[at]!.body.toString());

test('the question is sent with the key; the transcript is a message of its own', async () => {
  answers.push(content('{"title":null}'));

  expect(await ask()).toEqual({ title: null });
  const [{ method, url, headers }] = requests as [(typeof requests)[0]];
  expect([method, url, headers.authorization]).toEqual(['POST', '/chat/completions', 'Bearer secret-key']);
  expect(sent(0)).toEqual({
    model: 'small',
    messages: [
      { role: 'system', content: 'Help.' },
      { role: 'user', content: '{"a":1}' },
    ],
    response_format: { type: 'json_object' },
  });
});

test('an answer of fences and empty lines is not JSON, and is read in one pass', async () => {
  for (const text of [`\`\`\`${'\n'.repeat(50_000)}`, `\`\`\`json\n{${'\n'.repeat(50_000)}`, '```', '``````']) {
    answers.push(content(text));
    await expect(ask()).rejects.toMatchObject({ reason: 'answer' });
  }
});

test('JSON between fences is read', async () => {
  answers.push(content('```json\n{"a": [1]}\n```\n'));

  expect(await ask()).toEqual({ a: [1] });
});

test('a server that does not know the format is asked without it', async () => {
  answers.push({ status: 400, body: { error: { message: 'unknown field response_format' } } }, content('{}'));

  expect(await ask()).toEqual({});
  expect(sent(1)).not.toHaveProperty('response_format');
});

test('a full model is asked again after the time that it names', async () => {
  answers.push({ status: 429, headers: { 'retry-after': '7' }, body: '' }, 'hang up', content('{}'));

  expect(await ask()).toEqual({});
  expect(waits).toEqual([7000, 2000]);
});

test('a model that stays away, or takes too long, is unavailable', async () => {
  answers.push(...Array(4).fill({ status: 503, body: '' }));
  await expect(ask()).rejects.toMatchObject({ name: 'LanguageModelUnavailable', message: 'status 503' });

  server.forget();
  answers.push('silence');
  const stopping = new AbortController();
  const late = ask(stopping.signal).catch((error) => error);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  stopping.abort(new DOMException('too long', 'TimeoutError'));
  expect(await late).toMatchObject({ name: 'LanguageModelUnavailable' });
});

test.each([
  ['a wrong key', [{ status: 401, body: '' }], 'account'],
  ['no money', [{ status: 429, body: { error: { code: 'insufficient_quota' } } }], 'account'],
  ['a refusal', Array(2).fill({ status: 400, body: { error: { message: 'too long' } } }), 'question'],
  [
    'a redirect, which would hand over the key',
    Array(4).fill({ status: 302, headers: { location: '/x' }, body: '' }),
    null,
  ],
  ['HTML', [{ body: '<!doctype html><title>Log in</title>' }], 'answer'],
  ['other JSON', [{ body: { choices: [] } }], 'answer'],
  ['no text', [content('')], 'answer'],
  ['prose', [content('Here are your chapters: 1. …')], 'answer'],
  ['an answer of 50 MB', [{ body: 'x'.repeat(50_000_000) }], 'answer'],
])('%s is no answer', async (_, answered, reason) => {
  answers.push(...answered);

  const error = await ask().then(
    () => null,
    (failure) => failure,
  );

  expect([error.name, error.reason ?? null]).toEqual([
    reason === null ? 'LanguageModelUnavailable' : 'LanguageModelRejected',
    reason,
  ]);
  expect(String(error.message)).not.toContain('secret-key');
});
