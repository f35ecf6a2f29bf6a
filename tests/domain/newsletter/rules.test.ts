import { expect, test } from 'vitest';
import {
  bounceReason,
  groupBounces,
  judgeFetch,
  judgeStatus,
  mustStop,
  plainText,
  wordChange,
} from '~/server/domain/newsletter/rules';

test.each([
  ['5.1.1', 'unknown_address'],
  ['5.2.1', 'unknown_address'],
  ['5.2.2', 'full'],
  ['4.2.2', 'full'],
  ['5.7.26', 'blocked'],
  ['4.4.7', 'unreachable'],
  ['5.0.0', 'other'],
  [null, 'other'],
])('an email with the status %s came back because of: %s', (status, reason) => {
  expect(bounceReason(status)).toBe(reason);
});

test('bounces are grouped by reason, the most frequent first', () => {
  const rows = [
    { status: '5.7.1', count: 2 },
    { status: '5.1.1', count: 3 },
    { status: '5.7.26', count: 4 },
  ];

  expect(groupBounces(rows)).toEqual([
    { reason: 'blocked', count: 6 },
    { reason: 'unknown_address', count: 3 },
  ]);
});

test.each([
  ['a b c', 'a b c', { added: 0, removed: 0 }],
  ['a b', 'b a', { added: 0, removed: 0 }],
  ['a b', 'a b b d', { added: 2, removed: 0 }],
  ['', 'a', { added: 1, removed: 0 }],
  ['a b', '', { added: 0, removed: 2 }],
])('from “%s” to “%s”', (from, to, change) => {
  expect(wordChange(from, to)).toEqual(change);
});

test.each<[string, [number, number, number], boolean, boolean]>([
  ['too few results', [0, 99, 0], false, false],
  ['few bounces', [1901, 99, 0], false, false],
  ['many bounces', [1900, 100, 0], false, true],
  ['many bounces, after which others followed', [1900, 100, 0], true, false],
  ['few complaints', [1995, 0, 5], false, false],
  ['many complaints', [1994, 0, 6], false, true],
  ['few complaints, after which others followed', [1995, 0, 5], true, false],
  ['many complaints, after which others followed', [1994, 0, 6], true, true],
])('%s: whether sending stops', (_, [sent, bounced, complained], hasMore, stops) => {
  expect(mustStop({ sent, bounced, complained }, hasMore)).toBe(stops);
});

test('the text of a content has no tags, and one space between words', () => {
  expect(plainText('<p>Rain &amp;</p>\n<ul><li>tin</li><li>tea</li></ul>')).toBe('Rain & tin tea');
});

test.each([
  [204, null],
  [304, null],
  [401, 'unclear'],
  [404, 'missing'],
  [410, 'missing'],
  [429, 'unclear'],
  [503, 'failing'],
  [999, 'unclear'],
])('a link whose page answers with %i is: %s', (status, fault) => {
  expect(judgeStatus(status)).toBe(fault);
});

test.each([
  ['fetch.name_unknown', 'no_host'],
  ['fetch.connection_failed', 'no_answer'],
  ['fetch.certificate_invalid', 'unsafe'],
  ['fetch.port_forbidden', 'not_public'],
  ['fetch.host_busy', 'unclear'],
])('a link whose request fails with %s is: %s', (code, fault) => {
  expect(judgeFetch(code)).toBe(fault);
});
