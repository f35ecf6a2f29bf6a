import type { Element } from '../markup/tree';

/** What rules come from and where it can be read. */
export const SOURCES = {
  xml: { name: 'XML 1.0', url: 'https://www.w3.org/TR/xml/' },
  rss: { name: 'RSS 2.0', url: 'https://www.rssboard.org/rss-specification' },
  profile: { name: 'RSS Best Practices Profile', url: 'https://www.rssboard.org/rss-profile' },
  paging: { name: 'RFC 5005, Feed Paging and Archiving', url: 'https://www.rfc-editor.org/rfc/rfc5005' },
  apple: { name: 'Apple Podcasts requirements', url: 'https://podcasters.apple.com/support/823-podcast-requirements' },
  psp: { name: 'PSP-1', url: 'https://github.com/Podcast-Standards-Project/PSP-1-Podcast-RSS-Specification' },
  podcasting: { name: 'Podcasting 2.0 namespace', url: 'https://podcasting2.org/docs/podcast-namespace' },
  spotify: {
    name: 'Spotify Open Access',
    url: 'https://developer.spotify.com/documentation/open-access/tutorials/content',
  },
} as const;
export type RuleSource = keyof typeof SOURCES;

/** An error keeps a feed out of a directory or an episode from being heard; advice makes it better. */
export type Severity = 'error' | 'advice';
export type Judged = { channel: Element; items: Element[]; source: string };

/**
 * `place`: the heading, tag or section of the source at which it stands. `check` answers whether the show, or that item,
 * keeps the rule. What it asks for is said in `locales/*\/feeds.json`, by its name.
 */
export type Rule<On> = {
  source: RuleSource;
  place: string;
  severity: Severity;
  check(on: On, feed: Judged): boolean;
};
/** By their names. */
export type Rules<On = Element> = Record<string, Rule<On>>;

type Where = `${RuleSource}: ${string}`;

export function must<On = Element>(where: Where, check: Rule<On>['check']): Rule<On> {
  return { ...placeOf(where), severity: 'error', check };
}

export function should<On = Element>(where: Where, check: Rule<On>['check']): Rule<On> {
  return { ...placeOf(where), severity: 'advice', check };
}

function placeOf(where: Where): { source: RuleSource; place: string } {
  const colon = where.indexOf(':');
  return { source: where.slice(0, colon) as RuleSource, place: where.slice(colon + 2) };
}
