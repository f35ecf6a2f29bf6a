import { expect, test } from 'vitest';
import { createToken, isToken, KEY_PREFIX, lastFourOf } from '~/server/auth/api-tokens';

test('a token has its prefix, 43 random characters and a checksum of six', () => {
  const token = createToken(KEY_PREFIX);

  expect(token).toMatch(/^av_live_[0-9A-Za-z]{49}$/);
  expect(isToken(KEY_PREFIX, token)).toBe(true);
  expect(createToken(KEY_PREFIX)).not.toBe(token);
  expect(lastFourOf(token)).toBe(token.slice(-4));
});

test('any changed, missing or added character is recognised', () => {
  const token = createToken(KEY_PREFIX);
  const changed = [...token].map(
    (letter, at) => token.slice(0, at) + (letter === 'x' ? 'y' : 'x') + token.slice(at + 1),
  );
  const others = [token.slice(0, -1), `${token}0`, token.slice(1), ` ${token}`, '', KEY_PREFIX, token.toUpperCase()];

  expect([...changed, ...others].filter((text) => isToken(KEY_PREFIX, text))).toEqual([]);
});

test('a token of one kind is none of another', () => {
  expect(isToken('av_app_', createToken(KEY_PREFIX))).toBe(false);
  expect(isToken(KEY_PREFIX, createToken('av_app_'))).toBe(false);
});
