import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeedDocument } from '~/server/feed/model';
import { parseFeed } from '~/server/feed/reader/parse';
import { writeFeed } from '~/server/feed/writer/write-feed';
import { feedModel } from '../support/feed-models';

const RUNS = 10_000;

function readAgain(feed: FeedDocument) {
  const { feed: found, repairs } = parseFeed({ bytes: writeFeed(feed) });
  const { contacts: _, ...rest } = found!;
  return { feed: rest, repairs };
}

test(`${RUNS} feeds of hostile text read as they were written, and none needs a repair`, { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(feedModel, (feed) => {
      const read = readAgain(feed);

      expect(read.feed).toEqual(feed);
      expect(read.repairs).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('what is read is written as the same bytes again', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(feedModel, (feed) => {
      const written = writeFeed(feed);

      expect(writeFeed(readAgain(feed).feed as FeedDocument).equals(written)).toBe(true);
    }),
    { numRuns: RUNS / 10 },
  );
});
