import { data, redirect } from '@remix-run/node';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import type { Door } from '~/app/lib/doors.server';
import { searchedWords } from '~/app/lib/searched-words';
import { prefixOf, sitePathsIn } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { LANGUAGES, type Language } from '~/locales/languages';
import { SLUGS } from '~/locales/slugs';
import {
  CONTENT_TAGS,
  describeText,
  feedOf,
  orNotFound,
  redirectTo,
  textAt,
  textMetadata,
} from './text-metadata.server';

/** `/blog`, `/blog/tag/:tag`, `/blog?search=`. */
export async function blogData(door: Door) {
  const { api, context, params, url } = door;
  const { language } = context;
  const search = searchedWords(url.searchParams);
  const found = await orNotFound(door, api.content.posts({ tag: params.tag, search: search || undefined }));
  const { blog: start } = sitePathsIn(prefixOf(url.pathname));
  if (params.tag !== undefined && !found.tag) throw redirect(start, 302);
  const t = translator(language, 'blog');
  const title = found.tag ? t('tagged', { tag: found.tag.name }) : t('title');
  // tags have other names in other languages, so their pages have one address
  const addressIn = (other: Language) =>
    found.tag ? `/${language}/${SLUGS.blog[language]}/tag/${found.tag.slug}` : `/${other}/${SLUGS.blog[other]}`;
  const addresses = Object.fromEntries(LANGUAGES.map((other) => [other, addressIn(other)])) as Record<Language, string>;
  const shares = sitePathsIn(`/${language}`).blog;
  const metadata = {
    ...(await textMetadata(door, { title, description: t('description'), language, shares }, addresses)),
    feed: feedOf(door),
    isUnlisted: search !== '',
  };
  const blog = { name: t('title'), path: shares };
  describeText(door, found.tag ? [blog, { name: found.tag.name, path: addresses[language] }] : [blog]);
  return data({ metadata, links: siteLinks(door), title, search, ...found }, CONTENT_TAGS);
}

/** A post at its address in the language of the page; other spellings redirect there. */
export async function postData(door: Door) {
  const { api, context } = door;
  const post = await textAt(door, (slug) => api.content.post({ slug }));
  const { addresses, ...shown } = post;
  const { language } = context;
  const metadata = {
    ...(await textMetadata(door, post, addresses)),
    feed: feedOf(door),
    article: { published: post.date, updated: post.updated },
  };
  const { operator } = context.settings;
  const path = addresses[post.language];
  describeText(
    door,
    [
      { name: translator(language, 'blog')('title'), path: sitePathsIn(`/${language}`).blog },
      { name: post.title, path },
    ],
    {
      '@type': 'BlogPosting',
      headline: post.title,
      description: post.description,
      inLanguage: post.language,
      datePublished: post.date,
      dateModified: post.updated ?? post.date,
      author: post.author ? { '@type': 'Person', name: post.author } : { '@type': 'Organization', name: operator.name },
      publisher: { '@type': 'Organization', name: operator.name, url: context.urls.app('/') },
      mainEntityOfPage: context.urls.app(path),
      keywords: post.tags.map(({ name }) => name).join(', '),
    },
  );
  return data({ metadata, links: siteLinks(door), post: shown }, CONTENT_TAGS);
}

/** `/pages/:slug`: a text of the site. Those with an address of their own redirect there. */
export async function siteTextData(door: Door) {
  const page = await textAt(door, (slug) => door.api.content.page({ slug }));
  const { addresses, ...shown } = page;
  const address = addresses[door.context.language];
  if (!address.endsWith(`/pages/${page.slug}`)) throw redirectTo(door, page);
  describeText(door, [{ name: page.title, path: address }]);
  return data(
    { metadata: await textMetadata(door, page, addresses), links: siteLinks(door), page: shown },
    CONTENT_TAGS,
  );
}
