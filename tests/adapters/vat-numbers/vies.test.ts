import { expect, test } from 'vitest';
import { VIES_URL, viesRegister } from '~/server/adapters/vat-numbers/vies';
import { AskerRejected, RegisterUnavailable } from '~/server/base/errors';
import { openViesSandbox, TEST_ANSWERS } from '~/server/sandbox/vies/sandbox';

const NUMBER = { country: 'ES', number: 'B12345674' };
const sandbox = openViesSandbox();
const local = viesRegister({ url: '', fetch: async (input, init) => sandbox.app.request(String(input), init) });

test('the local register has every number, but those that are unknown', async () => {
  expect(await local.check(NUMBER, null)).toEqual({ isValid: true, name: 'Company B12345674', requestId: null });
  expect(await local.check(NUMBER, { country: 'FR', number: '12345678901' })).toMatchObject({
    requestId: 'WAPIESB12345674',
  });
  sandbox.unknown.add('ESB12345674');
  expect(await local.check(NUMBER, null)).toEqual({ isValid: false, name: null, requestId: null });
  sandbox.silent.add('ES');
  await expect(local.check(NUMBER, null)).rejects.toThrow(RegisterUnavailable);
});

test('the question goes to the service of the Commission, with our own number', async () => {
  const calls: [string, unknown][] = [];
  const register = viesRegister({
    fetch: async (input, init) => {
      calls.push([String(input), JSON.parse(String(init?.body))]);
      return Response.json({ valid: true, name: '---', requestIdentifier: 'WAPIAAAAX' });
    },
  });

  expect(await register.check(NUMBER, { country: 'FR', number: '12345678901' })).toEqual({
    isValid: true,
    name: null,
    requestId: 'WAPIAAAAX',
  });
  const asker = { requesterMemberStateCode: 'FR', requesterNumber: '12345678901' };
  expect(calls).toEqual([[`${VIES_URL}/check-vat-number`, { countryCode: 'ES', vatNumber: 'B12345674', ...asker }]]);
});

test.each([
  ['no connection', async () => Promise.reject(new TypeError('fetch failed'))],
  ['an error', async () => new Response('<html>', { status: 500 })],
  ['no JSON', async () => new Response('<html>')],
  [
    'a list of errors',
    async () => Response.json({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }),
  ],
  ['a huge answer', async () => Response.json({ valid: true, name: 'x'.repeat(200_000) })],
] as [string, typeof fetch][])('it is unavailable after %s', async (_, fetch) => {
  await expect(viesRegister({ fetch }).check(NUMBER, null)).rejects.toThrow(RegisterUnavailable);
});

const ASKER = { country: 'ES', number: 'B12345674' };
const UNAVAILABLE = Object.keys(TEST_ANSWERS).filter((number) => Number(number) >= 300);
test.each(UNAVAILABLE)('the answer to the test number %s says that it cannot be asked now', async (number) => {
  await expect(local.check({ country: 'FR', number }, ASKER)).rejects.toThrow(RegisterUnavailable);
});

test('an impossible number is invalid for good, and an asker whom it does not accept is told apart', async () => {
  const invalid = { isValid: false, name: null, requestId: null };
  expect(await local.check({ country: 'FR', number: '200' }, ASKER)).toEqual(invalid);
  expect(await local.check({ country: 'FR', number: '201' }, ASKER)).toEqual(invalid);
  await expect(local.check({ country: 'FR', number: '202' }, ASKER)).rejects.toThrow(AskerRejected);
  expect(await local.check({ country: 'FR', number: '202' }, null)).toMatchObject({ isValid: true });
});

const refused = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] });
test.each([
  ['a code beside valid: false', 200, { valid: false, userError: 'MS_MAX_CONCURRENT_REQ' }, RegisterUnavailable],
  ['an unknown code', 200, { valid: false, userError: 'SOMETHING_NEW' }, RegisterUnavailable],
  ['an error status with a code', 500, refused('GLOBAL_MAX_CONCURRENT_REQ'), RegisterUnavailable],
  ['a rejected asker with status 400', 400, refused('INVALID_REQUESTER_INFO'), AskerRejected],
] as const)('%s', async (_, status, body, expected) => {
  const register = viesRegister({ fetch: async () => Response.json(body, { status }) });

  await expect(register.check(NUMBER, ASKER)).rejects.toThrow(expected);
});

test.each([
  ['INVALID_INPUT', 400, refused('INVALID_INPUT')],
  ['an unknown number', 200, { valid: false, userError: 'INVALID' }],
] as const)('%s is a final answer', async (_, status, body) => {
  const register = viesRegister({ fetch: async () => Response.json(body, { status }) });

  expect(await register.check(NUMBER, ASKER)).toMatchObject({ isValid: false });
});
