import type { MetaDescriptor } from '@remix-run/node';
import { LANGUAGES, type Language } from '~/locales/languages';
import { SHARE_SIZE } from '~/server/limits/embeds';

/** A page's metadata for search engines, link previews and podcast apps. URLs are absolute. */
export type PageMetadata = {
  title: string;
  description: string;
  language: Language;
  urls: LocalizedUrls;
  /** The picture for link previews: a wide one of `SHARE_SIZE`, or a square. */
  image: { url: string; alt: string; isWide: boolean } | null;
  audio: string | null;
  /** `type`: of its content, by default RSS. */
  feed: { title: string; url: string; type?: string } | null;
  /** The player for other sites. `frame` is null if visitors can't play the audio. */
  embed?: { oembed: Record<'json' | 'xml', string>; frame: { url: string; width: number; height: number } | null };
  /** When an article was published, as a day, and its last change. */
  article?: { published: string; updated: string | null };
  /** Search engines must not list the page, for example a page of search results. */
  isUnlisted?: boolean;
};

/** A page's URL in each language, and the one that search engines show to readers of other languages. */
export type LocalizedUrls = Record<Language | 'x-default', string>;

const LOCALES: Record<Language, string> = { en: 'en_US', es: 'es_ES' };

/** A URL without a prefix shows the visitor's preferred language, so each language also has its own URL. */
export function urlPerLanguage(urlIn: (prefix: Language | null) => string): LocalizedUrls {
  return { ...prefixedUrls(urlIn), 'x-default': urlIn(null) };
}

function prefixedUrls(urlIn: (prefix: Language) => string): Record<Language, string> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, urlIn(language)])) as Record<Language, string>;
}

/** `hreflang` links for search engines. */
export function languageLinks(urls: Partial<LocalizedUrls>): MetaDescriptor[] {
  return Object.entries(urls).map(([hrefLang, href]) => ({ tagName: 'link', rel: 'alternate', hrefLang, href }));
}

const WIDE: MetaDescriptor[] = Object.entries(SHARE_SIZE).map(([side, pixels]) => ({
  property: `og:image:${side}`,
  content: String(pixels),
}));

/** The id of an empty element behind the head of a page. */
export const HEAD_END = 'head-end';
/** Browsers that know this link first paint when the whole head has arrived, so that nothing in it moves. */
export const PAINT_WITH_HEAD: MetaDescriptor = {
  tagName: 'link',
  rel: 'expect',
  href: `#${HEAD_END}`,
  blocking: 'render',
};

export function pageMeta(metadata: PageMetadata | undefined): MetaDescriptor[] {
  if (!metadata) return [{ title: 'Altavoz' }];
  const { title, description, language, urls, image, audio, feed, embed } = metadata;
  const canonical = urls[language];
  // a text without a translation has one address
  const translations = Object.fromEntries(
    Object.entries(urls).filter(([of, url]) => of === language || of === 'x-default' || url !== canonical),
  );
  return [
    { title },
    { name: 'description', content: description },
    ...(metadata.isUnlisted ? [{ name: 'robots', content: 'noindex' }] : []),
    { tagName: 'link', rel: 'canonical', href: canonical },
    ...languageLinks(translations),
    ...(feed
      ? [
          {
            tagName: 'link',
            rel: 'alternate',
            type: feed.type ?? 'application/rss+xml',
            title: feed.title,
            href: feed.url,
          },
        ]
      : []),
    { property: 'og:site_name', content: 'Altavoz' },
    { property: 'og:type', content: audio ? 'music.song' : metadata.article ? 'article' : 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: canonical },
    { property: 'og:locale', content: LOCALES[language] },
    ...LANGUAGES.filter((other) => other !== language).map((other) => ({
      property: 'og:locale:alternate',
      content: LOCALES[other],
    })),
    ...(image
      ? [
          { property: 'og:image', content: image.url },
          { property: 'og:image:alt', content: image.alt },
          ...(image.isWide ? WIDE : []),
          { name: 'twitter:card', content: embed?.frame ? 'player' : image.isWide ? 'summary_large_image' : 'summary' },
        ]
      : []),
    ...(metadata.article ? articleMeta(metadata.article) : []),
    ...(embed ? embedMeta(embed) : []),
    ...(audio
      ? [
          { property: 'og:audio', content: audio },
          { property: 'og:audio:type', content: 'audio/mpeg' },
        ]
      : []),
  ];
}

const articleMeta = ({ published, updated }: NonNullable<PageMetadata['article']>): MetaDescriptor[] =>
  Object.entries({ published_time: published, modified_time: updated ?? published }).map(([name, content]) => ({
    property: `article:${name}`,
    content,
  }));

/** Metadata for sites that show a link as a player: oEmbed, and the player card of social networks. */
function embedMeta({ oembed, frame }: NonNullable<PageMetadata['embed']>): MetaDescriptor[] {
  const links = Object.entries(oembed).map(([format, href]) => ({
    tagName: 'link',
    rel: 'alternate',
    type: `${format === 'xml' ? 'text' : 'application'}/${format}+oembed`,
    href,
  }));
  if (!frame) return links;
  const { url, ...size } = frame;
  const player = Object.entries(size).map(([side, pixels]) => ({
    name: `twitter:player:${side}`,
    content: String(pixels),
  }));
  return [...links, { name: 'twitter:player', content: url }, ...player];
}
