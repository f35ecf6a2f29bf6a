import { expect, test } from 'vitest';
import { newFeedGuid } from '~/server/domain/products/feed-identity';
import { deriveFeedGuid } from '~/server/feed/guids';
import { testDatabase } from '../../support/db';
import { publishedCreator, publishedProduct } from '../../support/published';

const { db } = await testDatabase();
const ADDRESS = 'https://mp3s.nashownotes.com/pc20rss.xml';

test.each([ADDRESS, 'http://mp3s.nashownotes.com/pc20rss.xml/', 'mp3s.nashownotes.com/pc20rss.xml'])(
  'the identity of %s is the one that Podcasting 2.0 gives as its example',
  (address) => {
    expect(deriveFeedGuid(address)).toBe('917393e3-1b1e-5cef-ace4-edaa54e1f810');
  },
);

test('an address that was another product’s gives a new identity', async () => {
  expect(await newFeedGuid({ db: db as never }, ADDRESS)).toBe(deriveFeedGuid(ADDRESS));

  const creator = await publishedCreator(db);
  await publishedProduct(db, creator.id, { feedGuid: deriveFeedGuid(ADDRESS) });

  expect(await newFeedGuid({ db: db as never }, ADDRESS)).toMatch(/^[0-9a-f-]{36}$/);
  expect(await newFeedGuid({ db: db as never }, ADDRESS)).not.toBe(deriveFeedGuid(ADDRESS));
});
