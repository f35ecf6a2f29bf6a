import { LANGUAGES } from '~/locales/languages';
import { notFound } from '../../base/errors';
import { entriesOf } from '../../content/library';
import { BLOG_LIMITS } from '../../limits/content';
import type { Ctx } from '../../runtime/ctx';
import { countTags, hasTag, type Post, publishedPosts, readingMinutes, relatedPosts, type Tag } from './rules';
import type { FindText, ListPosts } from './schema';
import { searchTexts } from './search-texts';
import { addressesOf, findTranslated } from './site-texts';

export type PostCard = {
  id: string;
  slug: string;
  title: string;
  description: string;
  date: string;
  minutes: number;
  tags: { name: string; slug: string }[];
};

/**
 * The posts in the visitor's language, newest first, or with a search the best first.
 * `tag` is null if posts in another language have it.
 * @throws not_found for a tag without posts
 */
export async function listPosts(ctx: Ctx, { tag, search }: ListPosts) {
  const all = await postsOf(ctx);
  const tags = countTags(all);
  const chosen = tag === undefined ? null : (tags.find(({ slug }) => slug === tag) ?? null);
  if (tag !== undefined && !chosen && !(await isTagElsewhere(ctx, tag))) throw notFound();
  const tagged = chosen ? all.filter((post) => hasTag(post, chosen.slug)) : all;
  const words = search?.trim();
  const found = words ? await searchTexts(ctx, tagged, words) : tagged;
  return { items: found.slice(0, BLOG_LIMITS.shown).map(toCard), tags, tag: chosen };
}

async function isTagElsewhere(ctx: Ctx, tag: string): Promise<boolean> {
  const library = await ctx.content.library();
  return LANGUAGES.some((language) =>
    publishedPosts(entriesOf(library, 'posts', language), ctx.now()).some((post) => hasTag(post, tag)),
  );
}

/** The newest posts with their whole text, for the feed. */
export async function feedPosts(ctx: Ctx) {
  const posts = await postsOf(ctx);
  return posts.slice(0, BLOG_LIMITS.inFeed).map((post) => ({ ...toCard(post), html: post.html }));
}

/** A post by its slug in any language, in the visitor's language if it is translated. @throws not_found */
export async function findPost(ctx: Ctx, { slug }: FindText) {
  const library = await ctx.content.library();
  const { shown, isTranslated } = await findTranslated(ctx, slug, (language) =>
    publishedPosts(entriesOf(library, 'posts', language), ctx.now()),
  );
  const related = isTranslated ? relatedPosts(shown, await postsOf(ctx)) : [];
  const { html, language, data } = shown;
  return {
    ...toCard(shown),
    html,
    language,
    updated: data.updated ?? null,
    author: data.author ?? null,
    related: related.map(toCard),
    addresses: addressesOf(library, shown),
  };
}

const postsOf = async (ctx: Ctx): Promise<Post[]> =>
  publishedPosts(entriesOf(await ctx.content.library(), 'posts', ctx.language), ctx.now());

function toCard(post: Post): PostCard {
  const { id, slug, data } = post;
  const names: Tag[] = countTags([post]);
  const tags = names.map(({ name, slug: of }) => ({ name, slug: of }));
  return {
    id,
    slug,
    title: data.title,
    description: data.description,
    date: data.date,
    minutes: readingMinutes(post),
    tags,
  };
}
