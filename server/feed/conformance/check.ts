import { FEED_LIMITS } from '../../limits/feeds';
import { childrenNamed, firstChild } from '../markup/elements';
import { isStrictXml } from '../markup/strict-xml';
import { readTree, type Tree } from '../markup/tree';
import { EPISODE_RULES } from './episode-rules';
import { PODCASTING_EPISODE_RULES, PODCASTING_SHOW_RULES, SHARED_RULES } from './podcasting-rules';
import { type CheckedFeed, must, type Rule, type RuleSource, type Rules, type Severity } from './rule';
import { SHOW_RULES } from './show-rules';

/** `items` contains the numbers, from 1, of the items that break the rule. It is empty if the show breaks it. */
export type Breach = { rule: string; source: RuleSource; severity: Severity; items: number[] };

const DOCUMENT_RULES = {
  well_formed: must<Tree>(
    'xml: 2.1 Well-Formed XML Documents',
    ({ irregularities }, { source }) =>
      [...irregularities.keys()].every((kind) => /^(?:namespace|name|doctype|suspect)/.test(kind)) &&
      isStrictXml(source),
  ),
  namespaces_declared: must<Tree>('psp: Namespace Declarations', ({ irregularities }) =>
    [...irregularities.keys()].every((kind) => !/^name/.test(kind)),
  ),
  channel_present: must<Tree>('rss: Sample files, channel', ({ root }) => channelOf(root) !== undefined),
} satisfies Rules<Tree>;

const ALL_SHOW_RULES: Rules = { ...SHOW_RULES, ...PODCASTING_SHOW_RULES, ...SHARED_RULES };
const ALL_EPISODE_RULES: Rules = { ...EPISODE_RULES, ...PODCASTING_EPISODE_RULES, ...SHARED_RULES };

/** Every rule by name, for pages that explain them. */
export const RULES: Readonly<Record<string, Omit<Rule<never>, 'check'>>> = {
  ...DOCUMENT_RULES,
  ...ALL_SHOW_RULES,
  ...ALL_EPISODE_RULES,
};

const { length, soundbiteSeconds, showBytes, episodeBytes } = FEED_LIMITS;
/** The numbers in the texts of the rules. */
export const RULE_FIGURES: Readonly<Record<string, number>> = {
  ...length,
  ...soundbiteSeconds,
  showBytes,
  episodeBytes,
};

const channelOf = (root: Tree['root']) => firstChild(firstChild(root, 'rss'), 'channel');

/** Finds the rules of RSS, Apple, PSP-1, Podcasting 2.0 and Spotify (if the feed is for Spotify) that a feed breaks. */
export function checkConformance(document: string): Breach[] {
  const tree = readTree(document, undefined, true);
  const channel = channelOf(tree.root);
  const feed: CheckedFeed = { channel: channel ?? tree.root, items: childrenNamed(channel, 'item'), source: document };
  const breaches = findBreaches(DOCUMENT_RULES, (rule) => (rule.check(tree, feed) ? null : []));
  if (!channel) return breaches;
  return [
    ...breaches,
    ...findBreaches(ALL_SHOW_RULES, (rule) => (rule.check(channel, feed) ? null : [])),
    ...findBreaches(ALL_EPISODE_RULES, (rule) => {
      const items = feed.items.flatMap((item, at) => (rule.check(item, feed) ? [] : [at + 1]));
      return items.length > 0 ? items : null;
    }),
  ];
}

/** @param check returns the items that break a rule, or null if all comply */
function findBreaches<Subject>(rules: Rules<Subject>, check: (rule: Rule<Subject>) => number[] | null): Breach[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const items = check(rule);
    return items ? [{ rule: name, source: rule.source, severity: rule.severity, items }] : [];
  });
}
