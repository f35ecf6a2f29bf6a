import { EPISODE_RULES } from './conformance-episodes';
import { SHOW_RULES } from './conformance-shows';
import { type Element, readTree, type Tree } from './tree';
import { isStrict } from './well-formed';

/** Where a rule stands. */
export type RuleSource = 'rss' | 'apple' | 'psp' | 'podcasting' | 'spotify' | 'xml';

/** What each source is and where it can be read. */
export const SOURCES: Record<RuleSource, { name: string; url: string }> = {
  xml: { name: 'XML 1.0', url: 'https://www.w3.org/TR/xml/' },
  rss: { name: 'RSS 2.0', url: 'https://www.rssboard.org/rss-specification' },
  apple: { name: 'Apple Podcasts requirements', url: 'https://podcasters.apple.com/support/823-podcast-requirements' },
  psp: { name: 'PSP-1', url: 'https://github.com/Podcast-Standards-Project/PSP-1-Podcast-RSS-Specification' },
  podcasting: { name: 'Podcasting 2.0 namespace', url: 'https://podcasting2.org/podcast-namespace' },
  spotify: {
    name: 'Spotify Open Access',
    url: 'https://developer.spotify.com/documentation/open-access/tutorials/content',
  },
};

/** An error keeps a feed out of a directory or an episode from being heard; advice makes it better. */
export type Severity = 'error' | 'advice';
export type Judged = { channel: Element; items: Element[]; source: string };

/** `check` answers whether the show, or that item, keeps the rule. Its name is also the key of its sentence. */
export type Rule<On> = { name: string; source: RuleSource; severity: Severity; check(on: On, feed: Judged): boolean };

/** `items`: numbers from 1 of the items that break it; empty where the show does. */
export type Breach = { rule: string; source: RuleSource; severity: Severity; items: number[] };

type DocumentRule = Omit<Rule<Tree>, 'check'> & { check(tree: Tree, document: { source: string }): boolean };
const WELL_FORMED: DocumentRule = {
  name: 'well_formed',
  source: 'xml',
  severity: 'error',
  check: ({ irregularities }, { source }) =>
    [...irregularities.keys()].every((kind) => /^(?:namespace|name|doctype|suspect)/.test(kind)) && isStrict(source),
};
const NAMESPACES_DECLARED: DocumentRule = {
  name: 'namespaces_declared',
  source: 'apple',
  severity: 'error',
  check: ({ irregularities }) => [...irregularities.keys()].every((kind) => !/^name/.test(kind)),
};
const DOCUMENT_RULES = [WELL_FORMED, NAMESPACES_DECLARED];

/** Every rule by its name, for whoever explains them. */
export const RULES: readonly Omit<Rule<never>, 'check'>[] = [...DOCUMENT_RULES, ...SHOW_RULES, ...EPISODE_RULES].map(
  ({ name, source, severity }) => ({ name, source, severity }),
);

/** Which rules a feed breaks: of RSS, Apple, PSP-1, Podcasting 2.0 and, where it is for it, Spotify. Pure. */
export function checkConformance(document: string): Breach[] {
  const tree = readTree(document, undefined, true);
  const breaches: Breach[] = [];
  const add = ({ name, source, severity }: Omit<Rule<never>, 'check'>, items: number[] = []) =>
    void breaches.push({ rule: name, source, severity, items });
  for (const rule of DOCUMENT_RULES) if (!rule.check(tree, { source: document })) add(rule);
  const channel = tree.root.children
    .find(({ name }) => name === 'rss')
    ?.children.find(({ name }) => name === 'channel');
  if (!channel) return [...breaches, { rule: 'channel_present', source: 'rss', severity: 'error', items: [] }];
  const feed: Judged = { channel, items: channel.children.filter(({ name }) => name === 'item'), source: document };
  for (const rule of SHOW_RULES) if (!rule.check(channel, feed)) add(rule);
  for (const rule of EPISODE_RULES) {
    const broken = feed.items.flatMap((item, at) => (rule.check(item, feed) ? [] : [at + 1]));
    if (broken.length > 0) add(rule, broken);
  }
  return breaches;
}
