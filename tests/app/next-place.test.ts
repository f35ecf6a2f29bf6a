import { expect, test } from 'vitest';
import { placeOf } from '~/app/features/listener/auth/next-place.server';

test.each([
  ['/register/payment?product=3&interval=month', 'payment'],
  ['/es/register/gift?product=3', 'payment'],
  ['/gift?token=abc', 'gift'],
  ['/es/feed', 'feed'],
  ['/feed/3', 'feed'],
  ['/podcatcher?show=3', 'feed'],
  ['/feedback', 'back'],
  ['/account/billing/receipts', 'subscriptions'],
  ['/dashboard', 'studio'],
  ['/start/page', 'start'],
  ['/es/podcasts/3/episodes/create', 'studio'],
  ['/@ada/p/lullabies', 'back'],
  ['/p/lullabies', 'back'],
  ['https://ada.altavoz.example/dashboard', 'back'],
])('a log-in on the way to %s leads to: %s', (next, place) => {
  expect(placeOf(next)).toBe(place);
});
