import { expect, test } from 'vitest';
import { allowsScope, SCOPES, type Scope } from '~/db/values/api-scopes';
import { ERROR_KINDS, type ErrorKind } from '~/server/base/errors';
import {
  changedNothing,
  endOfLife,
  endOfNext,
  endOfOverlap,
  keptBody,
  keyState,
} from '~/server/domain/developers/rules';

const NOW = new Date('2026-03-02T09:00:00Z');
const day = (text: string) => new Date(`${text}T09:00:00Z`);

test.each<[Scope[], Scope, boolean]>([
  [['shows:read'], 'shows:read', true],
  [['shows:read'], 'shows:write', false],
  [['shows:write'], 'shows:read', true],
  [['shows:write'], 'episodes:read', false],
  [['money:read'], 'money:read', true],
  [[], 'shows:read', false],
])('the scopes %j allow %s: %s', (scopes, scope, isAllowed) => {
  expect(allowsScope(scopes, scope)).toBe(isAllowed);
});

test('money and statistics cannot be written', () => {
  expect(SCOPES.filter((scope) => /^(?:money|statistics):/.test(scope))).toEqual(['money:read', 'statistics:read']);
});

test.each([
  ['month', '2026-04-01'],
  ['year', '2027-03-02'],
] as const)('a key for a %s ends on %s', (life, end) => {
  expect(endOfLife(life, NOW)).toEqual(day(end));
});

test('a key without an end has none, and its successor neither', () => {
  expect(endOfLife('forever', NOW)).toBeNull();
  expect(endOfNext({ createdAt: day('2026-01-01'), expiresAt: null }, NOW)).toBeNull();
});

test('a replaced key ends with the overlap, but not later than it would have', () => {
  expect(endOfOverlap({ expiresAt: null }, 3_600_000, NOW)).toEqual(new Date('2026-03-02T10:00:00Z'));
  expect(endOfOverlap({ expiresAt: day('2026-03-05') }, 86_400_000, NOW)).toEqual(day('2026-03-03'));
  expect(endOfOverlap({ expiresAt: day('2026-03-03') }, 7 * 86_400_000, NOW)).toEqual(day('2026-03-03'));
});

test('the successor works as long as the key was meant to', () => {
  expect(endOfNext({ createdAt: day('2026-02-01'), expiresAt: day('2026-03-03') }, NOW)).toEqual(day('2026-04-01'));
});

const ACTIVE = { revokedAt: null, expiresAt: null, rotatedAt: null };

test.each([
  [ACTIVE, 'owner', 'active'],
  [{ ...ACTIVE, expiresAt: day('2026-03-03') }, 'editor', 'active'],
  [{ ...ACTIVE, expiresAt: NOW }, 'owner', 'expired'],
  [{ ...ACTIVE, rotatedAt: NOW, expiresAt: day('2026-03-03') }, 'owner', 'replaced'],
  [{ ...ACTIVE, rotatedAt: NOW, expiresAt: NOW }, 'owner', 'expired'],
  [{ ...ACTIVE, revokedAt: NOW, expiresAt: NOW }, 'owner', 'revoked'],
  [ACTIVE, null, 'idle'],
] as const)('%j of the role %s is %s', (key, role, state) => {
  expect(keyState(key, role, NOW)).toBe(state);
});

test('only what is certain to have changed nothing may be sent again', () => {
  const uncertain = (Object.keys(ERROR_KINDS) as ErrorKind[]).filter((kind) => !changedNothing(kind));

  expect(uncertain).toEqual(['unavailable', 'no_space', 'upstream']);
});

test.each([
  ['{"id":7,"name":"Olas"}', '{"id":7,"name":"Olas"}'],
  [JSON.stringify({ id: 7, description: 'x'.repeat(9000) }), '{"id":7}'],
  [JSON.stringify({ data: 'x'.repeat(9000) }), '{}'],
])('of an answer, what is kept for its repetition is short', (body, kept) => {
  expect(keptBody(body)).toBe(kept);
});
