import { expect, test } from 'vitest';
import { translate } from '~/locales/translate';

test('a text is formatted with values, plural forms and numbers', () => {
  const texts = { one: '{{a}} of {{b}}', plays_one: '{{count}} play', plays_other: '{{count, number}} plays' };

  expect(translate('en', texts, 'one', { a: 1, b: 2 })).toBe('1 of 2');
  expect(translate('en', texts, 'plays', { count: 1 })).toBe('1 play');
  expect(translate('en', texts, 'plays', { count: 1200 })).toBe('1,200 plays');
  expect(translate('en', texts, 'missing')).toBe('missing');
});

test('a context selects its own text, and unknown contexts use the plain one', () => {
  const texts = { declined: 'Declined', declined_expired: 'Expired' };

  expect(translate('en', texts, 'declined', { context: 'expired' })).toBe('Expired');
  expect(translate('en', texts, 'declined', { context: 'lost' })).toBe('Declined');
});
