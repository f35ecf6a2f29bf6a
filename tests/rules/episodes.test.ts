import { expect, test } from 'vitest';
import { descriptionHtml, descriptionText } from '~/server/domain/episodes/description-html';
import {
  assertBalance,
  assertReleaseAllowed,
  type EpisodeStatus,
  mayBecome,
  statusAt,
  TRANSITIONS,
} from '~/server/domain/episodes/rules';

const now = new Date('2026-11-21T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

test.each([
  ['no time at all', null, true],
  ['in an hour', minutes(60), true],
  ['now', now, true],
  ['five minutes ago: a form takes time', minutes(-5), true],
  ['six minutes ago', minutes(-6), false],
  ['a year ago', minutes(-525_600), false],
])('releasing at %s', (_, at, allowed) => {
  const attempt = () => assertReleaseAllowed(at, now);

  if (allowed) expect(attempt).not.toThrow();
  else expect(attempt).toThrow('episode.publish_time_in_past');
});

test.each([
  [{ public: 2, private: 2 }, true, true],
  [{ public: 3, private: 2 }, true, false],
  [{ public: 0, private: 0 }, true, true],
  [{ public: 9, private: 0 }, false, true],
])('%j published episodes of a product (paid: %j) may stand: %j', (published, paid, allowed) => {
  const attempt = () => assertBalance(paid, published);

  if (allowed) expect(attempt).not.toThrow();
  else expect(attempt).toThrow('episode.public_exceeds_private');
});

test('what has its moment behind it is live, the rest waits', () => {
  expect([statusAt(minutes(-1), now), statusAt(now, now), statusAt(minutes(1), now)]).toEqual([
    'published',
    'published',
    'scheduled',
  ]);
});

test('a refused file comes back to life only by another file', () => {
  const reachable = (Object.keys(TRANSITIONS) as EpisodeStatus[]).filter((to) => mayBecome('failed', to));

  expect(reachable).toEqual(['in_progress']);
});

test.each([
  ['plain text becomes paragraphs', 'One\ntwo\n\nThree', '<p>One<br>two</p><p>Three</p>'],
  ['plain text is escaped', '1 < 2 & 3 > 2', '<p>1 &lt; 2 &amp; 3 &gt; 2</p>'],
  ['a script is gone', '<p>Hi</p><script>alert(1)</script>', '<p>Hi</p>'],
  ['handlers are gone', '<p onclick="alert(1)">Hi</p><img src=x onerror=alert(1)>', '<p>Hi</p>'],
  [
    'a javascript link is none',
    '<p><a href="javascript:alert(1)">x</a></p>',
    '<p><a rel="nofollow noopener">x</a></p>',
  ],
  [
    'links lead out safely',
    '<p><a href="https://a.example">x</a></p>',
    '<p><a href="https://a.example" rel="nofollow noopener">x</a></p>',
  ],
])('descriptions: %s', (_, typed, stored) => {
  expect(descriptionHtml(typed)).toBe(stored);
});

test('the words of a description stand without its markup', () => {
  expect(descriptionText('<p>One<br>two</p><p>A &amp; B &lt;3</p>')).toBe('One two A & B <3');
});
