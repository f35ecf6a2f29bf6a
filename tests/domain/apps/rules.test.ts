import { expect, test } from 'vitest';
import {
  answerUrl,
  audienceOf,
  hostOf,
  isChallenge,
  isJustReplaced,
  isRedirectUri,
  matchesRedirect,
  nameOf,
  narrowedScopes,
  provesChallenge,
  requestedScopes,
} from '~/server/domain/apps/rules';

test.each([
  ['Claude', 'Claude'],
  ['Яндекс Music', 'Яндекс Music'],
  ['Ελληνικά', 'Ελληνικά'],
  ['Alta-voz', null],
  ['ＡＬＴＡＶＯＺ', null],
  ['\u0410ltavoz', null],
  ['My \u03b1pp', null],
  ['', null],
  [undefined, null],
])('the name %j is shown as %j', (name, shown) => {
  expect(nameOf(name)).toBe(shown);
});

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://app.example/cb?x=1',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:8080/callback',
  'http://localhost:3000/cb',
  'http://[::1]:1/cb',
  'cursor://anysphere.cursor-retrieval/oauth/callback',
  'com.example.notes:/oauth',
])('an app may be registered with %s', (uri) => {
  expect(isRedirectUri(uri)).toBe(true);
});

test.each([
  '',
  'claude.ai/callback',
  'http://app.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://localhost.evil.example/cb',
  'https://user@app.example/cb',
  'https://user:word@app.example/cb',
  'https://app.example/cb#fragment',
  'https://app.example/cb#',
  'https:/app.example/cb',
  'https:///cb',
  'https://app.example\\@evil.example/cb',
  'https://app.example/a b',
  'https://app.example/a\nb',
  ' https://app.example/',
  'javascript:/alert(1)',
  'javascript://app.example/%0aalert(1)',
  'data:/text/html,x',
  'file:///etc/passwd',
  'ftp://app.example/cb',
  'intent://app.example/cb',
  'notes://callback',
  `https://app.example/${'a'.repeat(500)}`,
])('no app may be registered with %s', (uri) => {
  expect(isRedirectUri(uri)).toBe(false);
});

test.each([
  ['https://app.example/cb', 'https://app.example/cb', true],
  ['https://app.example/cb', 'https://app.example/cb/', false],
  ['https://app.example/cb', 'https://app.example/cb?x=1', false],
  ['https://app.example/cb', 'https://app.example/cb#x', false],
  ['https://app.example/cb', 'https://app.example:8443/cb', false],
  ['https://app.example/cb', 'https://APP.example/cb', false],
  ['https://app.example/cb', 'https://app.example.evil.example/cb', false],
  ['https://app.example/cb', 'https://app.example@evil.example/cb', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:9999/cb', true],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:9999/cb', true],
  ['http://127.0.0.1/cb', 'http://localhost/cb', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:9999/other', false],
  ['http://127.0.0.1/cb', 'https://127.0.0.1/cb', false],
  ['http://127.0.0.1/cb', 'http://x@127.0.0.1/cb', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:9999/cb#x', false],
])('registered %s, asked %s: %s', (registered, asked, expected) => {
  expect(matchesRedirect(registered, asked)).toBe(expected);
});

// RFC 7636, appendix B
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test('a challenge is one of S256, and its verifier proves it', () => {
  expect(isChallenge(CHALLENGE, 'S256')).toBe(true);
  expect([isChallenge(CHALLENGE, 'plain'), isChallenge(CHALLENGE, undefined), isChallenge('short', 'S256')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(provesChallenge(VERIFIER, CHALLENGE)).toBe(true);
  expect(provesChallenge(CHALLENGE, CHALLENGE)).toBe(false);
  expect(provesChallenge('', CHALLENGE)).toBe(false);
});

test('a resource names a door, and the assistant’s is meant without one', () => {
  const app = 'https://altavoz.example';

  expect(audienceOf(undefined, app)).toBe('mcp');
  expect(audienceOf(`${app}/mcp`, app)).toBe('mcp');
  expect(audienceOf(`${app}/mcp/`, app)).toBe('mcp');
  expect(audienceOf(`${app}/v1`, app)).toBe('v1');
  expect(audienceOf('https://evil.example/mcp', app)).toBeNull();
  expect(audienceOf(app, app)).toBeNull();
});

test('unknown scopes are left out, and without any, an app asks for what is only read', () => {
  expect(requestedScopes('openid shows:read episodes:write', 'mcp')).toEqual(['shows:read', 'episodes:write']);
  expect(requestedScopes('coupons:write', 'mcp')).toEqual([]);
  expect(requestedScopes('coupons:write', 'v1')).toEqual(['coupons:write']);
  expect(requestedScopes('', 'mcp').filter((scope) => scope.endsWith(':write') || scope.startsWith('money'))).toEqual(
    [],
  );
});

test('a refreshed token has the same scopes or fewer', () => {
  expect(narrowedScopes(undefined, ['shows:read', 'episodes:read'])).toEqual(['shows:read', 'episodes:read']);
  expect(narrowedScopes('shows:read', ['shows:read', 'episodes:read'])).toEqual(['shows:read']);
  expect(narrowedScopes('shows:read money:read', ['shows:read'])).toBeNull();
  expect(narrowedScopes(' ', ['shows:read'])).toBeNull();
});

test('the answer is added to the query of the app’s address', () => {
  expect(answerUrl('https://app.example/cb?x=1', { code: 'a b', state: undefined })).toBe(
    'https://app.example/cb?x=1&code=a+b',
  );
  expect(answerUrl('cursor://host/cb', { code: 'c' })).toBe('cursor://host/cb?code=c');
  expect([hostOf('https://app.example:1/cb'), hostOf('cursor://host/cb')]).toEqual(['app.example', 'cursor']);
});

test.each([
  ['at the same moment', '2026-03-02T09:00:00Z', true],
  ['within half a minute', '2026-03-02T09:00:29Z', true],
  ['after half a minute', '2026-03-02T09:00:30Z', false],
])('a refresh token that comes again %s is an app’s own: %s → %s', (_, now, expected) => {
  expect(isJustReplaced(new Date('2026-03-02T09:00:00Z'), new Date(now))).toBe(expected);
});
