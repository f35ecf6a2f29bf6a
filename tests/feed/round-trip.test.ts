import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeedDocument } from '~/server/feed/model';
import { parseFeed } from '~/server/feed/reader/parse';
import { writeFeed } from '~/server/feed/writer/write-feed';
import { deepSeed, isDeep } from '../support/deep';
import { feedModel } from '../support/feed-models';

const RUNS = isDeep ? 10_000 : 250;
const seed = deepSeed();

function writeAndRead(feed: FeedDocument) {
  const { feed: found, repairs } = parseFeed({ bytes: writeFeed(feed) });
  const { contacts: _, ...rest } = found!;
  return { feed: rest, repairs };
}

test(`${RUNS} feeds of hostile text read as they were written, without repairs`, { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(feedModel, (feed) => {
      const read = writeAndRead(feed);

      expect(read.feed).toEqual(feed);
      expect(read.repairs).toEqual([]);
    }),
    { numRuns: RUNS, seed },
  );
});

test('a feed that was read is written as the same bytes', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(feedModel, (feed) => {
      const written = writeFeed(feed);

      expect(writeFeed(writeAndRead(feed).feed as FeedDocument).equals(written)).toBe(true);
    }),
    { numRuns: RUNS / 10, seed },
  );
});
