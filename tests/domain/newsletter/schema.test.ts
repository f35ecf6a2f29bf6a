import { expect, test } from 'vitest';
import { describeProblem } from '~/server/base/problems';
import { sendTest, updateEdition } from '~/server/domain/newsletter/schema';
import { EDITING_LIMITS } from '~/server/limits/newsletter';

const edition = (changes: object) => updateEdition.safeParse({ id: 1, revision: 1, ...changes });
const tested = (to: unknown) => sendTest.safeParse({ id: 1, to });
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `reader${i}@mail.example`).join(', ');

/** Errors with the limit that their texts name, at the field itself: a form has no field `tags.3`. */
test.each([
  [
    'a tag that is too long',
    edition({ tags: `a, ${'b'.repeat(80)}` }),
    'tags',
    'field.too_long',
    EDITING_LIMITS.tagLength,
  ],
  ['too many tags', edition({ tags: Array(11).fill('a') }), 'tags', 'newsletter.too_many_tags', EDITING_LIMITS.tags],
  ['an empty tag', edition({ tags: 'a,,b' }), 'tags', 'newsletter.tag_empty', undefined],
  ['no address', tested('nonsense'), 'to', 'field.email_invalid', undefined],
  ['an empty list', tested(' , '), 'to', 'field.email_required', undefined],
  ['too many addresses', tested(addresses(6)), 'to', 'newsletter.too_many_tests', EDITING_LIMITS.testRecipients],
])('%s is refused', (_, result, field, key, max) => {
  const { fields } = describeProblem(result.error);

  expect(fields[field]?.[0]).toEqual({ key, params: max === undefined ? {} : { max } });
});

test('tags and addresses are read from a form and from a list', () => {
  expect(edition({ tags: ' one , two ' }).data?.tags).toEqual(['one', 'two']);
  expect(edition({ tags: '' }).data?.tags).toEqual([]);
  expect(tested(addresses(5)).data?.to).toHaveLength(5);
});

test.each([
  ['everyone', { group: 'everyone' }],
  ['tag:a:b', { group: 'tag', of: 'a:b' }],
  ['tag', null],
  ['everyone:x', null],
  ['nobody:x', null],
])('the audience %s', (audience, expected) => {
  expect(edition({ audience }).data?.audience ?? null).toEqual(expected);
});
