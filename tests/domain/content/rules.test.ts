import { expect, test } from 'vitest';
import {
  countTags,
  hasTag,
  type Post,
  publishedPosts,
  readingMinutes,
  relatedPosts,
} from '~/server/domain/content/rules';

const post = (id: string, tags: string[] = ['a'], date = '2026-11-02'): Post => ({
  collection: 'posts',
  id,
  slug: id,
  language: 'en',
  data: { title: id, description: id, date, tags },
  html: '',
  text: 'word',
  headings: [],
  hash: id,
});
const ids = (posts: Post[]) => posts.map(({ id }) => id);

test('a post appears on its day (UTC), and the newest comes first', () => {
  const posts = [
    post('old', ['a'], '2026-11-01'),
    post('today', ['a'], '2026-11-03'),
    post('later', ['a'], '2026-11-04'),
  ];

  expect(ids(publishedPosts(posts, new Date('2026-11-03T00:00:00Z')))).toEqual(['today', 'old']);
  expect(ids(publishedPosts(posts, new Date('2026-11-02T23:59:59Z')))).toEqual(['old']);
});

test('spellings with one slug are one tag, and the commonest comes first', () => {
  const posts = [post('1', ['Mudanza', 'Feeds']), post('2', ['mudanza', '¿?']), post('3', ['Dinero'])];

  expect(countTags(posts)).toEqual([
    { name: 'Mudanza', slug: 'mudanza', count: 2 },
    { name: 'Dinero', slug: 'dinero', count: 1 },
    { name: 'Feeds', slug: 'feeds', count: 1 },
  ]);
  expect(posts.map((each) => hasTag(each, 'mudanza'))).toEqual([true, true, false]);
});

test('posts with most tags in common come first, then the newest ones', () => {
  const posts = [
    post('new', ['x']),
    post('own', ['a', 'b']),
    post('one', ['b']),
    post('both', ['B', 'A']),
    post('old', ['y']),
  ];

  expect(ids(relatedPosts(posts[1]!, posts))).toEqual(['both', 'one', 'new']);
});

test.each([
  [1, 1],
  [330, 2],
  [700, 3],
])('%i words take %i minutes', (words, minutes) => {
  expect(readingMinutes({ text: Array(words).fill('word').join(' ') })).toBe(minutes);
});
