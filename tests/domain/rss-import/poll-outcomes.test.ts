import { expect, test } from 'vitest';
import { bodyCut, hostBusy, statusUnexpected } from '~/server/adapters/feed-fetcher/errors';
import { DAYS, earlier, HOURS } from '~/server/base/time';
import { afterPoll, changedEpisodes, fingerprintOf, type Polled } from '~/server/domain/rss-import/poll-outcomes';
import { toFeedItem } from '~/server/domain/rss-import/rules';
import type { ImportedEpisode } from '~/server/feed/reader/model';

const now = new Date('2026-03-02T09:00:00Z');
const following = { state: 'following', redirect: 'none', failures: 0, since: earlier(now, DAYS(1)) } as const;
const watching = { ...following, state: 'watching' } as const;
const read: Polled = { kind: 'read', redirect: 'none' };
const failed = (error = bodyCut({ host: 'a.example' })): Polled => ({ kind: 'failed', error });

test.each<[string, Parameters<typeof afterPoll>[0], Polled, Record<string, unknown>, number | null]>([
  ['a read feed is asked in an hour', following, read, { state: 'following', failures: 0 }, HOURS(1)],
  ['a watched one in a day', watching, read, { state: 'watching' }, DAYS(1)],
  ['the tag is seen', following, { kind: 'read', redirect: 'tag' }, { redirect: 'tag', state: 'following' }, HOURS(1)],
  [
    'a permanent redirect ends it',
    following,
    { kind: 'redirected', isPermanent: true },
    { state: 'ended', endedBecause: 'moved', redirect: 'permanent' },
    null,
  ],
  [
    'a temporary one does not',
    following,
    { kind: 'redirected', isPermanent: false },
    { state: 'following', redirect: 'temporary' },
    HOURS(1),
  ],
  ['a failure doubles the pause', following, failed(), { failures: 1, failureReason: 'fetch.body_cut' }, HOURS(2)],
  ['further ones up to a day', { ...following, failures: 7 }, failed(), { failures: 8 }, DAYS(1)],
  ['also a 404', following, failed(statusUnexpected({ status: 404 })), { failures: 1 }, HOURS(2)],
  ['a busy host is left alone', following, failed(hostBusy({ seconds: 36_000 })), { failures: 1 }, HOURS(10)],
  ['but not for a month', following, failed(hostBusy({ seconds: 3_000_000 })), { failures: 1 }, DAYS(1)],
  [
    'the tenth failure ends it',
    { ...following, failures: 9 },
    failed(),
    { state: 'ended', endedBecause: 'failing' },
    null,
  ],
  ['a success forgets failures', { ...following, failures: 9 }, read, { failures: 0, failureReason: null }, HOURS(1)],
  [
    'nothing is watched for ever',
    { ...watching, since: earlier(now, DAYS(60)) },
    read,
    { state: 'ended', endedBecause: 'unmoved' },
    null,
  ],
  ['but followed', { ...following, since: earlier(now, DAYS(600)) }, read, { state: 'following' }, HOURS(1)],
])('%s', (_, before, polled, after, pause) => {
  const { nextAt, ...result } = afterPoll(before, polled, now);

  expect(result).toMatchObject(after);
  expect(nextAt === null ? null : nextAt.getTime() - now.getTime()).toBe(pause);
});

const episode = (over: Partial<ImportedEpisode> = {}): ImportedEpisode => ({
  guid: 'a',
  title: 'One',
  description: '<p>Notes</p>',
  publishedAt: new Date('2025-01-01T00:00:00Z'),
  audio: { url: 'https://old.example/a.mp3?token=1', bytes: 100, type: 'audio/mpeg' },
  type: 'full',
  link: '',
  explicit: false,
  durationMs: null,
  ...over,
});
const known = (from: ImportedEpisode) => ({
  guid: from.guid,
  fingerprint: fingerprintOf(toFeedItem(from)),
  name: from.title,
  publishedAt: from.publishedAt?.toISOString() ?? null,
});
const audio = (url: string, bytes = 100) => ({ audio: { url, bytes, type: 'audio/mpeg' } });

test.each<[string, Partial<ImportedEpisode>, boolean]>([
  ['the same', {}, false],
  ['another title', { title: 'Two' }, true],
  ['other notes', { description: 'Other' }, true],
  ['another number', { number: 2 }, true],
  ['another file', audio('https://old.example/a.mp3', 200), true],
  ['a file that is signed anew', audio('https://old.example/a.mp3?token=2'), false],
  ['a file on another server', audio('https://cdn.example/x/a.mp3'), false],
  ['another GUID, and nothing else', { guid: 'b' }, false],
  ['another GUID and time', { guid: 'b', publishedAt: new Date('2025-01-02T00:00:00Z') }, true],
  ['another GUID without a time', { guid: 'b', publishedAt: null }, true],
  ['a GUID that no index can hold', { guid: 'b'.repeat(2000) }, false],
])('an episode with %s', (_, over, isChanged) => {
  expect(changedEpisodes([known(episode())], [episode(over)])).toHaveLength(isChanged ? 1 : 0);
});

test('a second episode with the same title and time is a new one while the first is there', () => {
  expect(changedEpisodes([known(episode())], [episode(), episode({ guid: 'b' })])).toEqual([episode({ guid: 'b' })]);
});

test('episodes that a former version has imported are not imported again', () => {
  const former = { ...known(episode()), fingerprint: null };

  expect(changedEpisodes([former], [episode({ title: 'Two' })])).toEqual([]);
});
