import { FEED_LIMITS } from '../../limits/feeds';
import { all, child } from '../markup/elements';
import { isStrict } from '../markup/strict-xml';
import { readTree, type Tree } from '../markup/tree';
import { EPISODE_RULES } from './episode-rules';
import { PODCASTING_EPISODE_RULES, PODCASTING_SHOW_RULES, SHARED_RULES } from './podcasting-rules';
import { type Judged, must, type Rule, type RuleSource, type Rules, type Severity } from './rule';
import { SHOW_RULES } from './show-rules';

/** `items`: numbers from 1 of the items that break it; empty where the show does. */
export type Breach = { rule: string; source: RuleSource; severity: Severity; items: number[] };

const DOCUMENT_RULES = {
  well_formed: must<Tree>(
    'xml: 2.1 Well-Formed XML Documents',
    ({ irregularities }, { source }) =>
      [...irregularities.keys()].every((kind) => /^(?:namespace|name|doctype|suspect)/.test(kind)) && isStrict(source),
  ),
  namespaces_declared: must<Tree>('psp: Namespace Declarations', ({ irregularities }) =>
    [...irregularities.keys()].every((kind) => !/^name/.test(kind)),
  ),
  channel_present: must<Tree>('rss: Sample files, channel', ({ root }) => channelOf(root) !== undefined),
} satisfies Rules<Tree>;

const OF_SHOW: Rules = { ...SHOW_RULES, ...PODCASTING_SHOW_RULES, ...SHARED_RULES };
const OF_EPISODE: Rules = { ...EPISODE_RULES, ...PODCASTING_EPISODE_RULES, ...SHARED_RULES };

/** Every rule by its name, for whoever explains them. */
export const RULES: Readonly<Record<string, Omit<Rule<never>, 'check'>>> = {
  ...DOCUMENT_RULES,
  ...OF_SHOW,
  ...OF_EPISODE,
};

const { length, soundbiteSeconds, showBytes, episodeBytes } = FEED_LIMITS;
/** What is filled into the sentences of rules. */
export const RULE_FIGURES: Readonly<Record<string, number>> = {
  ...length,
  ...soundbiteSeconds,
  showBytes,
  episodeBytes,
};

const channelOf = (root: Tree['root']) => child(child(root, 'rss'), 'channel');

/** Which rules a feed breaks: of RSS, Apple, PSP-1, Podcasting 2.0 and, where it is for it, Spotify. Pure. */
export function checkConformance(document: string): Breach[] {
  const tree = readTree(document, undefined, true);
  const channel = channelOf(tree.root);
  const feed: Judged = { channel: channel ?? tree.root, items: all(channel, 'item'), source: document };
  const breaches = broken(DOCUMENT_RULES, (rule) => (rule.check(tree, feed) ? null : []));
  if (!channel) return breaches;
  return [
    ...breaches,
    ...broken(OF_SHOW, (rule) => (rule.check(channel, feed) ? null : [])),
    ...broken(OF_EPISODE, (rule) => {
      const items = feed.items.flatMap((item, at) => (rule.check(item, feed) ? [] : [at + 1]));
      return items.length > 0 ? items : null;
    }),
  ];
}

/** @param judge the items that break a rule; null where it is kept */
function broken<On>(rules: Rules<On>, judge: (rule: Rule<On>) => number[] | null): Breach[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const items = judge(rule);
    return items ? [{ rule: name, source: rule.source, severity: rule.severity, items }] : [];
  });
}
