import type { Input, Rule } from './authorization';

const unknown = () => ({ id: 987_654_321 });
const token = () => ({ token: 'unknown' });
const card = () => ({ id: 'pm_987654321' });

/**
 * The rows of the authorization matrix about purchases of subscribers. No caller owns the ids;
 * tests/domain/billing/subscriptions/my-subscriptions.test.ts tests that other users' ids are refused in the same way.
 */
export const SUBSCRIBER_ROWS = {
  'subscriptions.get': [['others', unknown]],
  'subscriptions.cancel': [['others', unknown]],
  'subscriptions.renew': [['others', unknown]],
  'subscriptions.yearlyPreview': [['others', unknown]],
  'subscriptions.changeToYearly': [
    ['others', () => ({ ...unknown(), at: '2026-01-01T00:00:00Z', dueMinor: 1, yearlyMinor: 1 })],
  ],
  'receipts.get': [['others', unknown]],
  'cards.finishOverdue': [['everyone', () => ({ ...token(), checkout: '00000000-0000-4000-8000-000000000000' })]],
  'gifts.bought': [['users', () => ({ checkout: '00000000-0000-4000-8000-000000000000' })]],
  'gifts.redeem': [['others', token]],
  'gifts.open': [['nobody', token]],
  'pauses.pause': [['others', () => ({ ...unknown(), months: 1 })]],
  'pauses.end': [['others', unknown]],
  'cards.start': [['others', () => ({ subscription: 987_654_321 })]],
  'cards.finish': [['others', () => ({ checkout: '00000000-0000-4000-8000-000000000000' })]],
  'cards.setDefault': [['others', card]],
  'cards.remove': [['others', card]],
} satisfies Record<string, [rule: Rule, input?: () => Input][]>;
