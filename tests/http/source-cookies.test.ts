import { parse } from 'hono/utils/cookie';
import { expect, test } from 'vitest';
import { readSource, sourceCookies } from '~/server/auth/source-cookies';

const settings = { appHost: 'altavoz.localhost', secure: false };
const cookiesFor = (url: string) => sourceCookies(settings, 'altavoz.localhost', url);
/** The cookies that a browser sends after it has followed the link. */
const sentAfter = (url: string) =>
  cookiesFor(url)
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

test.each([
  ['/?ref=ana', { ref: 'ana' }],
  [
    '/register?utm_source=mail&utm_medium=newsletter&utm_campaign=otoño%20%26%20más',
    {
      utmSource: 'mail',
      utmMedium: 'newsletter',
      utmCampaign: 'otoño & más',
    },
  ],
  ['/es?ref=ana&utm_source=mail', { ref: 'ana', utmSource: 'mail' }],
  ['/?ref=%00a%0D%0Ab', { ref: 'ab' }],
  [`/?ref=${'x'.repeat(500)}`, { ref: 'x'.repeat(100) }],
  ['/?ref=%F0%9F%8E%99%3B%20Domain%3Devil', { ref: '🎙; Domain=evil' }],
  ['/?ref=', undefined],
  ['/?preref=ana&utm_content=x', undefined],
  ['/?ref=%E0%A4%A', { ref: expect.any(String) }],
])('the source of a visitor who came by %s', (url, source) => {
  expect(readSource(sentAfter(url))).toEqual(source);
});

test('there are two cookies, kept for 40 days, which no script can read', () => {
  const [affiliate, campaign, ...others] = cookiesFor('/?ref=ana&utm_source=mail&utm_medium=post');

  expect(others).toEqual([]);
  expect(affiliate).toBe('affiliate=ana; Max-Age=3456000; Domain=altavoz.localhost; Path=/; HttpOnly; SameSite=Lax');
  expect(parse(campaign!)).toMatchObject({ campaign: 'utm_source=mail&utm_medium=post', 'Max-Age': '3456000' });
});

test.each([undefined, '', 'affiliate=', 'campaign=%00', 'campaign=nonsense'])(
  'no source in the cookies %s',
  (cookies) => {
    expect(readSource(cookies)).toBeUndefined();
  },
);
