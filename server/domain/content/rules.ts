import { slugOfText } from '../../base/public-paths';
import type { EntryOf } from '../../content/library';
import { BLOG_LIMITS, HELP_LIMITS } from '../../limits/content';

export type Post = EntryOf<'posts'>;
export type HelpArticle = EntryOf<'help'>;
export type Tag = { name: string; slug: string; count: number };

/** The posts whose day (UTC) has come, newest first. */
export function publishedPosts(posts: readonly Post[], now: Date): Post[] {
  const today = now.toISOString().slice(0, 10);
  return posts
    .filter(({ data }) => data.date <= today)
    .sort((a, b) => (a.data.date === b.data.date ? compare(a.id, b.id) : compare(b.data.date, a.data.date)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By the order in their front matter, then by the names of their files. */
export function inOrder<T extends { id: string; data: { order: number } }>(texts: readonly T[]): T[] {
  return [...texts].sort((a, b) => a.data.order - b.data.order || compare(a.id, b.id));
}

const tagsOf = ({ data }: Post): Set<string> => new Set(data.tags.map(slugOfText));

export const hasTag = (post: Post, slug: string): boolean => tagsOf(post).has(slug);

/** The tags of the posts with their numbers, the commonest first. Spellings with one slug are one tag. */
export function countTags(posts: readonly Post[]): Tag[] {
  const tags = new Map<string, Tag>();
  for (const name of posts.flatMap(({ data }) => data.tags)) {
    const slug = slugOfText(name);
    const known = tags.get(slug);
    if (slug !== '') tags.set(slug, { name: known?.name ?? name, slug, count: (known?.count ?? 0) + 1 });
  }
  return [...tags.values()].sort((a, b) => b.count - a.count || compare(a.slug, b.slug));
}

/** The posts that share most tags, the newest first among equals; then the newest others. */
export function relatedPosts(post: Post, posts: readonly Post[]): Post[] {
  const own = tagsOf(post);
  const shared = (other: Post) => [...tagsOf(other)].filter((tag) => own.has(tag)).length;
  return posts
    .filter(({ id }) => id !== post.id)
    .map((other, i) => ({ other, shared: shared(other), i }))
    .sort((a, b) => b.shared - a.shared || a.i - b.i)
    .slice(0, BLOG_LIMITS.related)
    .map(({ other }) => other);
}

const WORDS_PER_MINUTE = 220;

export const readingMinutes = ({ text }: Pick<Post, 'text'>): number =>
  Math.max(1, Math.round(text.split(' ').length / WORDS_PER_MINUTE));

/** The articles for the same readers whose tasks are nearest in their order. */
export function relatedHelp(article: HelpArticle, articles: readonly HelpArticle[]): HelpArticle[] {
  const { audience } = article.data;
  const same = inOrder(articles.filter(({ id, data }) => data.audience === audience && id !== article.id));
  const distance = ({ data }: HelpArticle) => Math.abs(data.order - article.data.order);
  return inOrder(same.sort((a, b) => distance(a) - distance(b)).slice(0, HELP_LIMITS.related));
}
