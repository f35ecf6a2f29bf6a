import { expect, test } from 'vitest';
import { spotifyDelivery } from '~/server/adapters/spotify/delivery';

test('words of Spotify’s that Postgres could not store are read without their odd characters', async () => {
  const problems = [`${'x'.repeat(499)}🙂`, { at: 'line\u0000' }];
  const answer = { statusCode: 'new\u0000', statusDescription: `${'y'.repeat(499)}🙂`, validationErrors: problems };
  const delivery = spotifyDelivery('token', 'http://delivery.test', { fetch: async () => Response.json(answer) });

  const { status, text, problems: read } = await delivery.status('spotify:show:1');

  expect([status, text.slice(-2), read[0]!.slice(-2)]).toEqual(['new', 'y\ufffd', 'x\ufffd']);
  expect(read[1]).toBe('{"at":"line\\u0000"}');
});
