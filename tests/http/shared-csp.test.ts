import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sharedPolicy } from '~/server/http/shared-csp';

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
