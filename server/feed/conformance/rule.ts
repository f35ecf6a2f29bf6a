import type { Element } from '../markup/tree';

/** The specifications that the rules come from. */
export const SOURCES = {
  xml: { name: 'XML 1.0', url: 'https://www.w3.org/TR/xml/' },
  rss: { name: 'RSS 2.0', url: 'https://www.rssboard.org/rss-specification' },
  profile: { name: 'RSS Best Practices Profile', url: 'https://www.rssboard.org/rss-profile' },
  paging: { name: 'RFC 5005, Feed Paging and Archiving', url: 'https://www.rfc-editor.org/rfc/rfc5005' },
  apple: { name: 'Apple Podcasts', url: 'https://podcasters.apple.com/support/823-podcast-requirements' },
  psp: { name: 'PSP-1', url: 'https://github.com/Podcast-Standards-Project/PSP-1-Podcast-RSS-Specification' },
  podcasting: { name: 'Podcasting 2.0', url: 'https://podcasting2.org/docs/podcast-namespace' },
  spotify: {
    name: 'Spotify Open Access',
    url: 'https://developer.spotify.com/documentation/open-access/tutorials/content',
  },
} as const;
export type RuleSource = keyof typeof SOURCES;

/** An error keeps a feed out of a directory or an episode from playing. Advice improves the feed. */
export type Severity = 'error' | 'advice';
export type CheckedFeed = { channel: Element; items: readonly Element[]; source: string };

/**
 * `place` is the heading, tag or section of the source. `check` returns whether the show or the item complies. The text
 * of each rule is in `locales/*\/feeds.json`, under the rule's name.
 */
export type Rule<Subject> = {
  source: RuleSource;
  place: string;
  severity: Severity;
  check(subject: Subject, feed: CheckedFeed): boolean;
};
/** Rules by name. */
export type Rules<Subject = Element> = Record<string, Rule<Subject>>;

type SourceAndPlace = `${RuleSource}: ${string}`;

export function must<Subject = Element>(where: SourceAndPlace, check: Rule<Subject>['check']): Rule<Subject> {
  return { ...split(where), severity: 'error', check };
}

export function should<Subject = Element>(where: SourceAndPlace, check: Rule<Subject>['check']): Rule<Subject> {
  return { ...split(where), severity: 'advice', check };
}

function split(where: SourceAndPlace): { source: RuleSource; place: string } {
  const colon = where.indexOf(':');
  return { source: where.slice(0, colon) as RuleSource, place: where.slice(colon + 2) };
}
