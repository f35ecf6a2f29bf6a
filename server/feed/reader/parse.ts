import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { firstChild } from '../markup/elements';
import type { Element, Irregularity, Tree } from '../markup/tree';
import { readTree } from '../markup/tree';
import { GENERATOR } from '../writer/write-feed';
import { decodeFeed } from './decode-bytes';
import { assignGuids, NOTES, type ParsedItem, readItem } from './episodes';
import { createParseLog, type ImportedFeed, type Loss, type ParseLog, type ParseResult, type Repair } from './model';
import { type ItemTexts, noteTexts, replaceRepeatedNotes } from './notes';
import { type ParsedShow, readShow } from './shows';
import { type Reader, readText } from './texts';
import { readTrailers } from './trailers';

export type FeedSource = {
  bytes: Uint8Array;
  /** The Content-Type of the response. */
  contentType?: string | null;
  /** The feed's address after redirects, which relative URLs are resolved against. */
  url?: string | null;
};

/**
 * Reads a feed of another host: RSS 0.9x to 2.0, RSS 1.0 or Atom, in any encoding and however broken. Never throws,
 * never fetches anything, and takes linear time and memory in at most `FEED_IMPORT_LIMITS.bytes`.
 */
export function parseFeed({ bytes, contentType = null, url = null }: FeedSource): ParseResult {
  const log = createParseLog();
  if (bytes.length > FEED_IMPORT_LIMITS.bytes) log.lost('feed_too_large');
  const decoded = decodeFeed(bytes.subarray(0, FEED_IMPORT_LIMITS.bytes), contentType, log);
  const source = skipToMarkup(decoded.text, log);
  const { tree, collected } = readItems(source, url);
  reportIrregularities(tree, collected.log);
  const channel = channelOf(tree.root);
  const redirected = newLocation(tree.root);
  const showElement = channel ?? (redirected ? tree.root : null);
  if (!showElement || !(collected.items > 0 || isShow(showElement, redirected)))
    return { feed: null, encoding: decoded.encoding, ...toResult(collected, log) };
  const reader: Reader = collected.reader;
  const base = url ?? linkOf(showElement);
  const show = readShow(withBase({ ...reader, base }, [showElement]), showElement, url);
  const episodes = [
    ...assignGuids(reader, collected.episodes),
    ...readTrailers(reader, showElement, collected.episodes),
  ];
  const feed = withDefaults({ ...show, movedTo: show.movedTo ?? redirected }, episodes);
  return { feed, encoding: decoded.encoding, ...toResult(collected, log) };
}

type Collected = { reader: Reader; log: ParseLog; episodes: ParsedItem[]; texts: ItemTexts; items: number };

/** Converts each item to an episode at its end, so the tree of all items is never in memory. */
function readItems(source: string, url: string | null): { tree: Tree; collected: Collected } {
  let collected = startCollecting(source, url);
  const startPass = (guessing: boolean) => {
    if (guessing) collected = startCollecting(source, url);
    const target = collected;
    return (element: Element, ancestors: readonly Element[]) =>
      isItem(element) && collectItem(target, element, ancestors);
  };
  const tree = readTree(source, startPass, collected.reader.isOwnFeed);
  replaceRepeatedNotes(collected.reader, collected.texts);
  return { tree, collected };
}

/** Our own feeds state their generator at the start. */
const HEAD_LENGTH = 1000;

function startCollecting(source: string, url: string | null): Collected {
  const log = createParseLog();
  const isOwnFeed = source.slice(0, HEAD_LENGTH).includes(`<generator>${GENERATOR}</generator>`);
  const texts = { counts: new Map(), choices: [] };
  return { reader: { source, base: url, log, isOwnFeed, monthFirst: false }, log, episodes: [], texts, items: 0 };
}

const LIVE_ITEM = 'podcast:liveitem';
const ITEMS = new Set(['item', 'atom:entry', 'entry']);
const isItem = ({ name }: Element) => ITEMS.has(name) || name === LIVE_ITEM;

function collectItem(collected: Collected, element: Element, ancestors: readonly Element[]): boolean {
  const { reader, log } = collected;
  if (element.name === LIVE_ITEM) log.lost('live_item');
  if (element.name === LIVE_ITEM) return true;
  if (ancestors.some(isItem)) return false;
  collected.items += 1;
  if (collected.items > FEED_IMPORT_LIMITS.items) log.lost('too_many_items', collected.items);
  if (collected.items > FEED_IMPORT_LIMITS.items) return true;
  if (collected.items === 1) prepareReader(reader, ancestors);
  const episode = readItem(withBase(reader, [...ancestors, element]), element, collected.items);
  if (!episode) return true;
  collected.episodes.push(episode);
  noteTexts(reader, collected.texts, { parent: element, names: NOTES, episode, item: collected.items });
  return true;
}

/** The reader with the base of the innermost `xml:base` (Atom allows one on any element). */
function withBase(reader: Reader, elements: Element[]): Reader {
  let { base } = reader;
  for (const { attributes } of elements) {
    const written = attributes.size > 0 && attributes.get('xml:base')?.trim();
    if (written) base = resolveBase(written, base);
  }
  return base === reader.base ? reader : { ...reader, base };
}

function resolveBase(written: string, outer: string | null): string | null {
  if (!URL.canParse(written, outer ?? undefined)) return outer;
  const base = new URL(written, outer ?? undefined);
  return /^https?:$/.test(base.protocol) ? base.href : outer;
}

/** Before the first item, takes the values from the show that decide how items are read. */
function prepareReader(reader: Reader, ancestors: readonly Element[]) {
  const channel = ancestors.at(-1);
  reader.monthFirst = /^en(?:-us)?$/i.test(readText(firstChild(channel, 'language')));
  reader.base ??= linkOf(channel);
}

function linkOf(channel: Element | undefined): string | null {
  const link = readText(firstChild(channel, 'link'));
  return /^https?:\/\//.test(link) ? link : null;
}

function channelOf(root: Element): Element | null {
  const top =
    root.children.find(({ name }) => /^(?:rss|channel|atom:feed|feed|\?rdf:rdf)$/.test(name)) ?? root.children[0];
  if (!top) return null;
  if (/^(?:channel|atom:feed|feed)$/.test(top.name)) return top;
  const channel = firstChild(top, 'channel', 'rss');
  if (channel) return firstChild(channel, 'channel') ?? channel;
  return /^(?:rss|\?rdf:rdf)$/.test(top.name) ? top : null;
}

/** A document with a channel is a feed even without items. A document with only `<rss>` is not. */
function isShow(element: Element, redirected: string | undefined): boolean {
  return redirected !== undefined || (/^(?:channel|atom:feed|feed)$/.test(element.name) && element.children.length > 0);
}

/** The new address in the redirect document that Userland's servers sent for a moved feed. */
function newLocation(root: Element): string | undefined {
  const redirect = firstChild(firstChild(root, 'rss') ?? root, 'redirect');
  return readText(firstChild(redirect, 'newlocation')) || undefined;
}

/** Removes everything before the markup. */
function skipToMarkup(text: string, log: ParseLog): string {
  const start = text.search(/<[?!a-z]/i);
  const skipped = start > 0 ? text.slice(0, start).replace(/^\ufeff/, '') : '';
  if (skipped.trim()) log.repaired('junk_before_declaration');
  else if (skipped && text.startsWith('<?xml', start)) log.repaired('space_before_declaration');
  return start > 0 ? text.slice(start) : text.replace(/^\ufeff/, '');
}

const REPAIRS: Partial<Record<Irregularity, Repair>> = {
  bare_ampersand: 'ampersand_bare',
  unknown_entity: 'entity_unknown',
  bare_less_than: 'markup_broken',
  broken_attribute: 'markup_broken',
  unclosed_comment: 'markup_broken',
  unclosed_cdata: 'cdata_unclosed',
  unclosed_tag: 'tags_unclosed',
  unclosed_element: 'tags_unclosed',
  stray_end_tag: 'tags_unclosed',
  namespace_undeclared: 'namespace_undeclared',
  namespace_misspelt: 'namespace_misspelt',
  name_in_capitals: 'name_in_capitals',
};
const LOSSES: Partial<Record<Irregularity, Loss>> = {
  doctype: 'doctype_ignored',
  too_deep: 'too_deep',
  too_many_tags: 'too_many_tags',
  text_too_long: 'text_too_long',
  too_many_attributes: 'too_many_attributes',
};

function reportIrregularities({ irregularities }: Tree, log: ParseLog) {
  for (const [kind, times] of irregularities) {
    const [repair, loss] = [REPAIRS[kind], LOSSES[kind]];
    if (repair) log.repaired(repair, 0, times);
    if (loss) log.lost(loss, 0, times);
  }
}

function withDefaults(show: ParsedShow, items: ParsedItem[]): ImportedFeed {
  // spreads only, for speed (decision 0119)
  const episodes = items.map((item) => ({ ...item, ...{ explicit: item.explicit ?? show.explicit } }));
  const newest = episodes.reduce((last, { publishedAt }) => Math.max(last, publishedAt?.getTime() ?? 0), 0);
  return { ...show, changedAt: show.changedAt ?? (newest > 0 ? new Date(newest) : null), episodes };
}

function toResult({ log, items }: Collected, first: ParseLog): Pick<ParseResult, 'items' | 'repairs' | 'losses'> {
  return {
    items,
    repairs: [...first.repairs(), ...log.repairs()],
    losses: [...first.losses(), ...log.losses()],
  };
}
