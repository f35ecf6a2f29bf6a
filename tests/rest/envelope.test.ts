import { expect, test } from 'vitest';
import { unreachable } from '~/server/adapters/payments/errors';
import { AppError, type ErrorKind, tooManyRequests } from '~/server/base/errors';
import { tooManyUploads } from '~/server/domain/media/errors';
import { pageEnvelope, renderFailure } from '~/server/rest/envelope';
import { TABLE } from '~/server/rest/table';

const say = (key: string, params: object = {}) => [key, ...Object.values(params)].join(' ');
const failed = (kind: ErrorKind, field?: string, code = `room.${kind}`) =>
  renderFailure(new AppError(code, kind, field), say, null, 'request-1');

test.each<[ErrorKind, number, object]>([
  ['invalid', 400, { non_field_errors: ['errors:room.invalid'] }],
  ['unauthenticated', 401, { detail: 'errors:rest.unauthenticated' }],
  ['limit_reached', 403, { detail: 'errors:room.limit_reached', code: 'plan_required' }],
  ['forbidden', 403, { detail: 'errors:room.forbidden', code: 'forbidden' }],
  ['not_found', 404, { detail: 'errors:rest.not_found' }],
  ['conflict', 409, { detail: 'errors:room.conflict', code: 'conflict' }],
  ['expired', 400, { detail: 'errors:room.expired' }],
  ['too_large', 413, { detail: 'errors:room.too_large' }],
  ['upstream', 500, { detail: 'errors:room.upstream', request_id: 'request-1' }],
])('a failure of kind %s is a %d', (kind, status, body) => {
  expect(failed(kind)).toMatchObject({ status, body });
});

test.each([
  [tooManyRequests(30), 'errors:rest.throttled 30', '30'],
  [tooManyUploads({ seconds: 86_400 }), 'errors:rest.throttled 86400 errors:upload.too_many_open 86400', '86400'],
])('a limit states its seconds, and its reason if it has one of its own', (error, detail, seconds) => {
  expect(renderFailure(error, say, null, 'request-1')).toMatchObject({
    status: 429,
    body: { detail },
    headers: { 'retry-after': seconds },
  });
});

test('while the payment provider is away, clients are told when to try again', () => {
  expect(renderFailure(unreachable(), say, null, 'request-1')).toMatchObject({
    status: 503,
    body: { detail: 'errors:payments.unreachable 10' },
    headers: { 'retry-after': '10' },
  });
});

test('field errors use legacy field names', () => {
  expect(failed('invalid', 'releaseDate').body).toEqual({ release_date: ['errors:room.invalid'] });
});

test('unexpected errors reveal no details', () => {
  const { status, body, problem } = renderFailure(new Error('select * from users'), say, null, 'request-1');

  expect([status, body]).toEqual([500, { detail: 'errors:common.something_went_wrong', request_id: 'request-1' }]);
  expect(problem.unexpected).toBe(true);
});

test('only owner calls answer 404 instead of 403 to users without a creator page', () => {
  const [owners, others] = ['products.update', 'products.create'].map(
    (procedure) => TABLE.find((call) => call.procedure === procedure) ?? null,
  );
  const notAuthorized = new AppError('common.not_authorized', 'forbidden');

  expect(renderFailure(notAuthorized, say, owners ?? null, '').status).toBe(404);
  expect(renderFailure(notAuthorized, say, others ?? null, '')).toMatchObject({
    status: 403,
    body: { code: 'permission_denied' },
  });
});

test.each([
  [1, 0, null, null],
  [1, 3, 'https://a.example/api/x/?q=1&page=2', null],
  [2, 3, null, 'https://a.example/api/x/?q=1'],
])('page %d of %d items links to the next and previous page', (page, total, next, previous) => {
  const address = new URL(`https://a.example/api/x/?q=1${page > 1 ? `&page=${page}` : ''}`);

  const envelope = pageEnvelope({ items: [], total, page, pageSize: 2 }, [], address);

  expect(envelope).toEqual({ count: total, next, previous, results: [] });
});

test('a page after the last does not exist', () => {
  expect(pageEnvelope({ items: [], total: 4, page: 3, pageSize: 2 }, [], new URL('https://a.example/'))).toBeNull();
});
