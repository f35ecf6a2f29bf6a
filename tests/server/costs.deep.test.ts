import { expect, test } from 'vitest';
import { z } from 'zod';
import { fields } from '~/server/base/fields';
import { describeProblem } from '~/server/base/problems';
import { linkDescription } from '~/server/domain/episodes/description-html';
import { cpuCost } from '../support/costs';

const marks = `a${'\u0316\u0301'.repeat(100_000)}`;
const punctuated = `<p>https://a${'.'.repeat(200_000)}b https://a${'&amp;'.repeat(200_000)}b</p>`;
const unknown = Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`k${i}`, 1]));

test.each<[string, number, () => unknown]>([
  ['a long run of combining marks', 5, () => fields.text(200).safeParse(marks)],
  // an earlier regular expression took minutes
  ['long runs of punctuation in addresses', 10, () => linkDescription(punctuated)],
  ['thousands of unknown fields', 5, () => describeProblem(z.strictObject({}).safeParse(unknown).error)],
])('%s block no other request', async (_, most, work) => {
  expect(await cpuCost(work)).toBeLessThan(most);
});
