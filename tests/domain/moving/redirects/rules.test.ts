import { expect, test } from 'vitest';
import { DAYS, later } from '~/server/base/time';
import { isOwnUrl } from '~/server/base/urls';
import { canUndo, type FoundFeed, undoableUntil, warningsOf } from '~/server/domain/moving/redirects/rules';

const HOSTS = { appUrl: 'https://altavoz.example', publicRoot: 'pod.example:8443' };

test.each([
  ['https://altavoz.example/@lucia/p/olas/feed.xml', true],
  ['HTTPS://ALTAVOZ.EXAMPLE./p', true],
  ['https://lucia.pod.example:8443/p/olas/feed.xml', true],
  ['https://pod.example:8443/', true],
  ['https://pod.example/', false],
  ['https://not-altavoz.example/feed.xml', false],
  ['https://altavoz.example.evil.example/feed.xml', false],
  ['https://elsewhere.example/?u=https://altavoz.example', false],
  ['not an address', false],
])('%s is ours: %s', (url, isOwn) => {
  expect(isOwnUrl(url, HOSTS)).toBe(isOwn);
});

const own = { title: 'Olas', guid: 'AB-1', guids: ['a', 'b', 'c'] };
const same: FoundFeed = { ...own, guid: 'ab-1', url: 'https://new.example/f', movedTo: null, newFeedUrl: null };

test.each<[string, Partial<FoundFeed>, object[]]>([
  ['the same', {}, []],
  ['more episodes, and another spelling', { guids: ['d', 'c', 'b', 'a'], title: ' OLAS\n' }, []],
  ['an address that it confirms', { newFeedUrl: 'https://new.example/f' }, []],
  ['no ID of its own', { guid: '' }, []],
  ['another title', { title: 'Otras' }, [{ kind: 'title_differs', title: 'Otras' }]],
  ['other episodes', { guids: ['x', 'y', 'z'] }, [{ kind: 'guids_differ' }]],
  ['one episode less', { guids: ['a', 'b'] }, [{ kind: 'episodes_missing', count: 1, total: 3 }]],
  ['another ID', { guid: 'cd-2' }, [{ kind: 'show_guid_differs' }]],
  ['a move', { movedTo: 'https://new.example/g' }, [{ kind: 'moves_on', url: 'https://new.example/g' }]],
  ['a new address', { newFeedUrl: 'https://third.example' }, [{ kind: 'moves_on', url: 'https://third.example' }]],
  ['no HTTPS', { url: 'http://new.example/f' }, [{ kind: 'not_secure' }]],
])('a new feed with %s', (_, over, warnings) => {
  expect(warningsOf(own, { ...same, ...over })).toEqual(warnings);
});

test('a show without public episodes misses none', () => {
  expect(warningsOf({ ...own, guids: [] }, { ...same, guids: ['x'] })).toEqual([]);
});

test('a redirect can be undone until a day has passed', () => {
  const at = new Date('2026-03-01T10:00:00Z');

  expect(undoableUntil(at)).toEqual(later(at, DAYS(1)));
  expect([0, DAYS(1) - 1, DAYS(1)].map((ms) => canUndo(at, later(at, ms)))).toEqual([true, true, false]);
});
