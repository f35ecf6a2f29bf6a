import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseEnv } from '~/server/env/read';
import { sharedPolicy } from '~/server/http/caches/shared-csp';
import { contentPolicy } from '~/server/http/security';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('nonces are removed, and the policy lists hashes of inline scripts and styles instead', () => {
  const html =
    '<style nonce="abc">a{}</style><script nonce="abc">one()</script><script nonce="abc" src="/x.js"></script>' +
    '<script type="application/ld+json" nonce="abc">{"@type":"PodcastSeries"}</script><script nonce="abc">two()</script>';
  const policy = "default-src 'self'; script-src 'self' 'nonce-abc'; style-src 'self' 'nonce-abc'; img-src *";

  const shared = sharedPolicy(html, policy);

  expect(shared?.html).not.toContain('abc');
  expect(shared?.html).toContain('<script>one()</script><script src="/x.js"></script>');
  expect(shared?.policy).toBe(
    `default-src 'self'; script-src 'self' ${hash('one()')} ${hash('two()')}; style-src 'self' ${hash('a{}')}; img-src *`,
  );
});

test('a policy without nonces stays as it is', () => {
  const policy = "script-src 'self'";

  expect(sharedPolicy('<script>one()</script>', policy)).toEqual({ html: '<script>one()</script>', policy });
});

test('without inline code, the nonce is removed without leaving a gap', () => {
  expect(sharedPolicy('<p>hola</p>', "script-src 'self' 'nonce-x y'; style-src 'nonce-x y' 'self'")).toBeDefined();
  expect(sharedPolicy('<p>hola</p>', "script-src 'self' 'nonce-xy'")?.policy).toBe("script-src 'self'");
});

test('a page with its nonce in other places is not shared', () => {
  expect(sharedPolicy('<script nonce="abc">use("abc")</script>', "script-src 'nonce-abc'")).toBeNull();
});

test('line ends are hashed as browsers parse them', () => {
  expect(sharedPolicy('<script nonce="abc">a\r\nb</script>', "script-src 'nonce-abc'")?.policy).toContain(hash('a\nb'));
});

test.each([
  '<script>evil()</script>',
  '<SCRIPT>evil()</SCRIPT>',
  '<script nonce="other">evil()</script>',
  '<script data-nonce="abc">evil()</script>',
  '<style>evil{}</style>',
])('a page with %s, which carries no nonce of ours, is not shared', (inline) => {
  const policy = "script-src 'nonce-abc'; style-src 'nonce-abc'";

  expect(sharedPolicy(`<script nonce="abc">one()</script>${inline}`, policy)).toBeNull();
});

test.each(['crisp', 'intercom'] as const)('the policy allows %s only if the operator has set it', (provider) => {
  const urls = parseEnv({}).urls;
  const settings = { urls, uploadOrigin: null, development: false };

  const [without, other] = [contentPolicy(settings, 'n'), contentPolicy({ ...settings, chat: null }, 'n')];
  const policy = contentPolicy({ ...settings, chat: { provider, id: 'x' } }, 'n');

  expect(without).toBe(other);
  expect(without).not.toMatch(/crisp|intercom|style-src [^;]*unsafe-inline|frame-src/);
  expect(policy).toMatch(new RegExp(`script-src [^;]*${provider}`));
  // scripts still need the nonce or an allowed host
  expect(policy).not.toMatch(/script-src [^;]*(?:unsafe|\*(?:;| |$))/);
});
