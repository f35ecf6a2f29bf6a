import { createHash } from 'node:crypto';
import { parse } from 'hono/utils/cookie';
import { expect, test } from 'vitest';
import { readSource, sourceCookies } from '~/server/auth/source-cookies';
import { affiliateCookie, namesAffiliate, readAffiliateCookie } from '~/server/base/affiliate-cookie';
import { DAYS, later } from '~/server/base/time';

const settings = { appHost: 'altavoz.localhost', secure: false };
const vault = {
  fingerprint: (text: string, owner: string) => createHash('sha256').update(`${owner} ${text}`).digest('base64url'),
};
const at = new Date('2026-03-01T10:00:00Z');
const reader = { vault, now: () => at };
const cookiesFor = (url: string) => sourceCookies(settings, 'altavoz.localhost', url);
/** The cookies that a browser sends after it has followed the link. */
const sentAfter = (url: string) =>
  cookiesFor(url)
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

test.each([
  [
    '/register?utm_source=mail&utm_medium=newsletter&utm_campaign=otoño%20%26%20más',
    {
      utmSource: 'mail',
      utmMedium: 'newsletter',
      utmCampaign: 'otoño & más',
    },
  ],
  ['/es?ref=ana&utm_source=mail', { utmSource: 'mail' }],
  ['/?utm_source=%00a%0D%0Ab', { utmSource: 'ab' }],
  [`/?utm_source=${'x'.repeat(500)}`, { utmSource: 'x'.repeat(100) }],
  ['/?utm_source=%F0%9F%8E%99%3B%20Domain%3Devil', { utmSource: '🎙; Domain=evil' }],
  ['/?ref=ana', undefined],
  ['/?preref=ana&utm_content=x', undefined],
])('the campaign of a visitor who came by %s', (url, source) => {
  expect(readSource(sentAfter(url), reader)).toEqual(source);
});

test('the campaign is kept for 40 days, in a cookie which no script can read', () => {
  const [campaign, ...others] = cookiesFor('/?ref=ana&utm_source=mail&utm_medium=post');

  expect(others).toEqual([]);
  expect(campaign).toMatch(/; Max-Age=3456000; Domain=altavoz.localhost; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(parse(campaign!)).toMatchObject({ campaign: 'utm_source=mail&utm_medium=post', 'Max-Age': '3456000' });
});

test.each([undefined, '', 'affiliate=', 'affiliate=ana', 'campaign=%00', 'campaign=nonsense'])(
  'no source in the cookies %s',
  (cookies) => {
    expect(readSource(cookies, reader)).toBeUndefined();
  },
);

const followed = { code: 'lucia', at, visitor: 'v'.repeat(22) };
const written = affiliateCookie(vault, followed);

test('the link of an affiliate is read back for 40 days, to the second', () => {
  const read = (now: Date) => readAffiliateCookie(vault, written, now);

  expect(read(later(at, DAYS(40) - 1))).toEqual(followed);
  expect(read(later(at, DAYS(40)))).toBeNull();
  expect(readSource(`affiliate=${written}`, reader)).toEqual({ ref: 'lucia' });
});

test.each([
  ['another code', written.replace('lucia', 'other')],
  ['another time', written.replace(/\.\d+\./, '.9999999999.')],
  ['another browser', written.replace('vvv', 'www')],
  ['no signature', written.slice(0, written.lastIndexOf('.'))],
  ['a code only', 'lucia'],
])('a cookie with %s is not ours', (_, value) => {
  expect(readAffiliateCookie(vault, value, at)).toBeNull();
});

test.each([
  ['/?ref=a', true],
  ['http://a.example/x?b=1&ref=', true],
  ['/?a?ref=x', false],
  ['/ref=x', false],
  ['/?preref=x', false],
  ['/', false],
])('%s names an affiliate: %s', (url, names) => {
  expect(namesAffiliate(url)).toBe(names);
});
