import { expect, test } from 'vitest';
import { connectionFailed, nameUnknown } from '~/server/adapters/feed-fetcher/errors';
import { unavailable } from '~/server/base/errors';
import { mediaTypeUnsupported, methodNotAllowed } from '~/server/doors/v1/errors';
import { toFailure } from '~/server/doors/v1/problem';

const ASKED = { appUrl: 'http://altavoz.localhost:3000', language: 'en' as const, requestId: 'test', call: null };

test.each([
  ['a host that cannot be reached', connectionFailed(), 502],
  ['a host that does not exist', nameUnknown(), 400],
  ['our database', unavailable({ seconds: 5 }), 503],
  ['a bug', new Error('bug'), 500],
  ['another method', methodNotAllowed({ allow: 'GET' }), 405],
  ['another type of the body', mediaTypeUnsupported(), 415],
])('the failure of %s is its own status', (_, error, status) => {
  expect(toFailure(error, ASKED)).toMatchObject({ status, body: expect.stringContaining(`"status":${status}`) });
});
