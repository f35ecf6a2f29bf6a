import { expect, test } from 'vitest';
import { newFeedGuid } from '~/server/domain/products/feed-identity';
import { deriveFeedGuid } from '~/server/feed/guids';
import { transact } from '~/server/runtime/ctx';
import { cast } from '../../support/cast';

const { make, visitorCtx } = await cast();
const ADDRESS = 'https://mp3s.nashownotes.com/pc20rss.xml';
const newGuid = () => transact(visitorCtx(), (tx) => newFeedGuid(tx, ADDRESS));

test.each([ADDRESS, 'http://mp3s.nashownotes.com/pc20rss.xml/', 'mp3s.nashownotes.com/pc20rss.xml'])(
  'the identity of %s is the one that Podcasting 2.0 gives as its example',
  (address) => {
    expect(deriveFeedGuid(address)).toBe('917393e3-1b1e-5cef-ace4-edaa54e1f810');
  },
);

test('an address that was another product’s gives a new identity', async () => {
  expect(await newGuid()).toBe(deriveFeedGuid(ADDRESS));

  const creator = await make.creator();
  await make.product(creator, { feedGuid: deriveFeedGuid(ADDRESS) });

  expect(await newGuid()).toMatch(/^[0-9a-f-]{36}$/);
  expect(await newGuid()).not.toBe(deriveFeedGuid(ADDRESS));
});
