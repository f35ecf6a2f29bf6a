import { expect, test } from 'vitest';
import { signerOf } from '~/server/bounces/read-authentication';

const SERVER = 'mx.altavoz.example';
const field = (value: string) => ({ key: 'authentication-results', value });

test.each([
  ['a signature', 'mx.altavoz.example; dkim=pass header.d=provider.example header.s=s1', 'provider.example'],
  [
    'other results before it',
    'MX.altavoz.example 1; spf=fail; dkim = PASS (2048-bit) header.d=Provider.example',
    'provider.example',
  ],
  [
    'a second signature that passed',
    'mx.altavoz.example; dkim=fail header.d=a.example; dkim=pass header.d=b.example',
    'b.example',
  ],
  ['no signature', 'mx.altavoz.example; dkim=none; spf=pass smtp.mailfrom=provider.example', null],
  ['a signature that failed', 'mx.altavoz.example; dkim=fail header.d=provider.example', null],
  ['another server', 'mx.else.example; dkim=pass header.d=provider.example', null],
  ['a server whose name begins alike', 'mx.altavoz.example.else; dkim=pass header.d=provider.example', null],
  ['a comment', 'mx.altavoz.example; spf=fail (a; dkim=pass header.d=provider.example)', null],
  ['a nested comment', 'mx.altavoz.example; spf=fail (a (b) ; dkim=pass header.d=provider.example)', null],
  [
    'a quoted text',
    'mx.altavoz.example; spf=fail smtp.mailfrom="; dkim=pass header.d=provider.example"@a.example',
    null,
  ],
  [
    'an escaped quote',
    'mx.altavoz.example; spf=fail smtp.mailfrom="\\"; dkim=pass header.d=provider.example"@a.example',
    null,
  ],
  ['something else than a domain', 'mx.altavoz.example; dkim=pass header.d=<provider>', null],
  ['nothing', '', null],
])('the signer in results with %s', (_, value, expected) => {
  expect(signerOf([field(value)], SERVER)).toBe(expected);
});

test('the first field with the id of the server counts, and no field without its name', () => {
  const own = field(`${SERVER}; dkim=none`);
  const forged = field(`${SERVER}; dkim=pass header.d=provider.example`);

  expect(signerOf([own, forged], SERVER)).toBeNull();
  expect(signerOf([field('mx.else.example; dkim=pass header.d=a.example'), forged], SERVER)).toBe('provider.example');
  expect(signerOf([{ ...forged, key: 'x-authentication-results' }], SERVER)).toBeNull();
  expect(signerOf([], SERVER)).toBeNull();
});
