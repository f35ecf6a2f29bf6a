import { expect, test } from 'vitest';
import { matchTotp, newTotpSecret, otpauthUri, TOTP, totpCode, totpStepAt } from '~/server/auth/totp';
import { createVault } from '~/server/auth/vault';
import { earlier, later } from '~/server/base/time';

/** RFC 6238, appendix B: '12345678901234567890' in base32, and the last six digits of its codes. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test.each(VECTORS)('at second %i the code of RFC 6238 is %s', (second, code) => {
  expect(totpCode(SECRET, totpStepAt(new Date(second * 1000)))).toBe(code);
});

test('a code counts one step before and after its own, and no longer', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  const code = totpCode(SECRET, totpStepAt(now));
  const stepAt = (at: Date) => matchTotp(SECRET, code, at);

  expect([stepAt(now), stepAt(later(now, TOTP.step)), stepAt(earlier(now, TOTP.step))]).toEqual(
    Array(3).fill(totpStepAt(now)),
  );
  expect([stepAt(later(now, 2 * TOTP.step)), stepAt(earlier(now, 2 * TOTP.step))]).toEqual([null, null]);
  expect(['', '1', `${code}0`, 'abcdef', '１２３４５６'].map((wrong) => matchTotp(SECRET, wrong, now))).toEqual(
    Array(5).fill(null),
  );
});

test('secrets are random, and the address of the QR code names service and account', () => {
  const uri = new URL(otpauthUri({ issuer: 'Altavoz', account: 'a+b@mail.example', secret: SECRET }));

  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
  expect(uri.href).toContain('otpauth://totp/Altavoz:a%2Bb%40mail.example?');
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: SECRET, issuer: 'Altavoz' });
});

test('a sealed secret opens only in its own row, unchanged, with the same secret of the installation', () => {
  const vault = createVault('a secret of 32 characters or more');
  const sealed = vault.seal(SECRET, 'user 1');
  const changed = `${sealed.slice(0, -4)}${sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;

  expect(sealed).not.toContain(SECRET);
  expect(vault.open(sealed, 'user 1')).toBe(SECRET);
  expect(() => vault.open(sealed, 'user 2')).toThrow();
  expect(() => vault.open(changed, 'user 1')).toThrow();
  expect(() => createVault('another secret').open(sealed, 'user 1')).toThrow();
  expect(vault.fingerprint('code', 'user 1')).not.toBe(vault.fingerprint('code', 'user 2'));
});
