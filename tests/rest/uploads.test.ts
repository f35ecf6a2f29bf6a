import { expect, test } from 'vitest';
import { HOURS, later } from '~/server/base/time';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';

const opened = await cast();
const { tom } = opened;
const api = legacyClient(opened);
const FILE = { file_name: 'ola.mp3', content_type: 'audio/mpeg', file_size: 5_000_000, purpose: 'episode_audio' };

test('a user gets an upload URL and the upload’s key', async () => {
  const { token } = tom;

  const { status, body } = await api.post('generate-url-upload-file', { token, json: FILE });

  expect(status).toBe(201);
  expect(body.url).toContain(`http://altavoz.localhost:3000/uploads/form/`);
  expect(body).toMatchObject({ method: 'POST', key: expect.stringMatching(/^[\w-]{16,64}$/) });
  expect(body.expires_at).toBe('2026-03-03T09:00:00.000Z');
});

test('a file that is not MP3 is rejected before the upload', async () => {
  const { token } = tom;
  const json = { ...FILE, file_name: 'ola.wav', content_type: 'audio/wav' };

  const { status, body } = await api.post('generate-url-upload-file/', { token, json });

  expect([status, body]).toEqual([
    400,
    { file_name: ['This is a WAV file: only mp3 allowed. Export it as MP3 and upload it again.'] },
  ]);
});

test('more than 300 MB is rejected', async () => {
  const { token } = tom;
  const json = { ...FILE, file_size: 301 * 1024 * 1024 };

  const { status, body } = await api.post('generate-url-upload-file/', { token, json });

  expect([status, body]).toEqual([
    413,
    { detail: expect.stringContaining('File size should not be greater than 300 MB') },
  ]);
});

test('an unsupported purpose is rejected', async () => {
  const { token } = tom;

  const { status, body } = await api.post('generate-url-upload-file/', { token, json: { ...FILE, purpose: 'logo' } });

  expect([status, Object.keys(body)]).toEqual([400, ['purpose']]);
});

test('visitors cannot upload', async () => {
  const responses = [
    await api.post('generate-url-upload-file/', { json: FILE }),
    await api.post('generate-url-upload-file/', { json: FILE, headers: { authorization: 'Token undefined' } }),
  ];

  expect(responses.map(({ status }) => status)).toEqual([401, 401]);
});

test('the twenty-first unused upload is refused until the first one expires', async () => {
  const { token } = await opened.make.person();
  for (let i = 0; i < 20; i += 1) await api.post('generate-url-upload-file', { token, json: FILE });
  opened.clock.now = later(opened.clock.now, HOURS(1));

  const { status, body, headers } = await api.post('generate-url-upload-file', { token, json: FILE });

  expect(status).toBe(429);
  expect(headers.get('retry-after')).toBe('82800');
  expect(body.detail).toBe(
    'Request was throttled. Expected available in 82800 seconds. ' +
      'You have too many unused uploads. Use them, or try again tomorrow.',
  );
});
