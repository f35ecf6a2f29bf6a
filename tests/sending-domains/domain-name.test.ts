import { expect, test } from 'vitest';
import { faultOf, organizationOf, readDomain } from '~/server/sending-domains/domain-name';
import { dmarcHosts, zoneText } from '~/server/sending-domains/wanted-records';
import { shareOf, warmUpDay } from '~/server/sending-domains/warm-up';

test.each<[string, string | null]>([
  ['News.Example.COM', 'news.example.com'],
  [' https://www.example.com/about?x=1 ', 'www.example.com'],
  ['nora@example.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['señal.es', 'xn--seal-hqa.es'],
  ['example', null],
  ['', null],
  ['localhost', null],
  ['mac.local', null],
  ['192.0.2.1', null],
  ['0x7f.1', null],
  ['[2001:db8::1]', null],
  ['2001:db8::1', null],
  ['com', null],
  ['co.uk', null],
  ['github.io', null],
  ['-a.example.com', null],
  ['a..example.com', null],
  ['_dmarc.example.com', null],
  ['xn--a.com', null],
  ['exa mple.com', null],
  ['example.com\r\nBcc: a@b.example', null],
  ['example.com%00', null],
  [`${'a'.repeat(64)}.com`, null],
  [`${'a.'.repeat(100)}com`, null],
  ['a'.repeat(100_000), null],
])('the domain in %j is %s', (text, domain) => {
  expect(readDomain(text)).toBe(domain);
});

test.each<[string, string | null]>([
  ['example.com', null],
  ['altavoz.example', 'platform'],
  ['lucia.altavoz.example', 'platform'],
  ['mail.altavoz.example', 'platform'],
  ['notaltavoz.example', null],
  ['gmail.com', 'mailbox'],
  ['x.gmail.com', 'mailbox'],
  ['yahoo.com.ar', 'mailbox'],
  ['hotmail.es', 'mailbox'],
  ['outlook.com', 'mailbox'],
  ['gmail.example.com', null],
])('the fault of %s is %s', (domain, fault) => {
  expect(faultOf(domain, ['altavoz.example', 'app.altavoz.example'])).toBe(fault);
});

test('a domain above that of the platform is refused, too', () => {
  expect(faultOf('altavoz.example', ['mail.altavoz.example'])).toBe('platform');
});

test('DMARC is looked up at the domain and at the registered one', () => {
  expect(organizationOf('a.news.example.co.uk')).toBe('example.co.uk');
  expect(dmarcHosts('a.news.example.co.uk')).toEqual(['_dmarc.a.news.example.co.uk', '_dmarc.example.co.uk']);
  expect(dmarcHosts('example.com')).toEqual(['_dmarc.example.com']);
});

test('a long value is split into strings of 255 bytes', () => {
  const parts = zoneText('x'.repeat(600)).split(' ');

  expect(parts.map((part) => part.length - 2)).toEqual([255, 255, 90]);
});

test('the warm-up grows from 100 by a quarter a day, and ends after 42 days', () => {
  const shares = Array.from({ length: 42 }, (_, i) => shareOf(i + 1)!);

  expect(shares.slice(0, 5)).toEqual([100, 130, 160, 200, 240]);
  expect(shares.every((share, i) => i === 0 || share > shares[i - 1]!)).toBe(true);
  expect(shares[38]).toBeLessThan(500_000);
  expect(shares[39]).toBeGreaterThan(500_000);
  expect(shareOf(43)).toBeNull();
});

test.each([
  ['2026-03-02T23:59:00Z', '2026-03-02T23:59:59Z', 1],
  ['2026-03-02T23:59:00Z', '2026-03-03T00:00:00Z', 2],
  ['2026-03-02T00:00:00Z', '2026-04-12T12:00:00Z', 42],
  ['2026-03-05T00:00:00Z', '2026-03-02T00:00:00Z', 1],
])('a warm-up from %s is at %s on day %s', (start, now, day) => {
  expect(warmUpDay(new Date(start), new Date(now))).toBe(day);
});
