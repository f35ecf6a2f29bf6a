import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { child } from '../markup/elements';
import type { Element, Irregularity, Tree } from '../markup/tree';
import { readTree } from '../markup/tree';
import { GENERATOR } from '../writer/write-feed';
import { decodeFeed } from './decode-bytes';
import { identify, type ReadItem, readItem } from './episodes';
import { type ImportedFeed, type Loss, type Notes, type Reading, type Repair, takeNotes } from './model';
import { type ReadShow, readShow } from './shows';
import { type Reader, readText } from './texts';
import { trailersOf } from './trailers';

export type FeedSource = {
  bytes: Uint8Array;
  /** Of the answer. */
  contentType?: string | null;
  /** Where it was read at last, after redirects; relative addresses are taken from there. */
  url?: string | null;
};

/**
 * Reads a stranger's feed: RSS 0.9x to 2.0, RSS 1.0 or Atom, in any encoding and however broken. Pure and without
 * exceptions; time and memory are linear in at most `FEED_IMPORT_LIMITS.bytes`. Nothing that a document names is fetched.
 */
export function parseFeed({ bytes, contentType = null, url = null }: FeedSource): Reading {
  const notes = takeNotes();
  if (bytes.length > FEED_IMPORT_LIMITS.bytes) notes.lost('feed_too_large');
  const decoded = decodeFeed(bytes.subarray(0, FEED_IMPORT_LIMITS.bytes), contentType, notes);
  const source = fromMarkup(decoded.text, notes);
  const { tree, collected } = walk(source, url);
  noteIrregularities(tree, collected.notes);
  const channel = channelOf(tree.root);
  const redirected = newLocation(tree.root);
  const found = channel ?? (redirected ? tree.root : null);
  if (!found || !(collected.items > 0 || isShow(found, redirected)))
    return { feed: null, encoding: decoded.encoding, ...told(collected, notes) };
  const reader: Reader = collected.reader;
  const show = readShow({ ...reader, base: url ?? linkOf(found) }, found, url);
  const episodes = [...identify(reader, collected.episodes), ...trailersOf(reader, found, collected.episodes)];
  const feed = joined({ ...show, movedTo: show.movedTo ?? redirected }, episodes);
  return { feed, encoding: decoded.encoding, ...told(collected, notes) };
}

type Collected = { reader: Reader; notes: Notes; episodes: ReadItem[]; items: number };

/** Items become episodes as they end, so that a tree of all of them is never held. */
function walk(source: string, url: string | null): { tree: Tree; collected: Collected } {
  let collected = collecting(source, url);
  const begin = (guessing: boolean) => {
    if (guessing) collected = collecting(source, url);
    const mine = collected;
    return (element: Element, above: readonly Element[]) => collect(mine, element, above);
  };
  const tree = readTree(source, begin, collected.reader.ours);
  return { tree, collected };
}

/** Our own feeds say so at once. */
const HEAD = 1000;

function collecting(source: string, url: string | null): Collected {
  const notes = takeNotes();
  const ours = source.slice(0, HEAD).includes(`<generator>${GENERATOR}</generator>`);
  return { reader: { source, base: url, notes, ours, american: false }, notes, episodes: [], items: 0 };
}

const ITEM = /^(?:item|atom:entry|entry)$/;
const INNER = /^(?:item|atom:entry|entry|podcast:liveitem)$/;

function collect(collected: Collected, element: Element, above: readonly Element[]): boolean {
  const { reader, notes } = collected;
  if (element.name === 'podcast:liveitem') notes.lost('live_item');
  if (element.name === 'podcast:liveitem') return true;
  if (!ITEM.test(element.name) || above.some((one) => INNER.test(one.name))) return false;
  collected.items += 1;
  if (collected.items > FEED_IMPORT_LIMITS.items) notes.lost('too_many_items', collected.items);
  if (collected.items > FEED_IMPORT_LIMITS.items) return true;
  if (collected.items === 1) prepare(reader, above);
  const episode = readItem(reader, element, collected.items);
  if (episode) collected.episodes.push(episode);
  return true;
}

/** What the show says above its items and how they are read. */
function prepare(reader: Reader, above: readonly Element[]) {
  const channel = above.at(-1);
  reader.american = /^en(?:-us)?$/i.test(readText(child(channel, 'language')));
  reader.base ??= linkOf(channel);
}

function linkOf(channel: Element | undefined): string | null {
  const link = readText(child(channel, 'link'));
  return /^https?:\/\//.test(link) ? link : null;
}

function channelOf(root: Element): Element | null {
  const top =
    root.children.find((one) => /^(?:rss|channel|atom:feed|feed|\?rdf:rdf)$/.test(one.name)) ?? root.children[0];
  if (!top) return null;
  if (/^(?:channel|atom:feed|feed)$/.test(top.name)) return top;
  const channel = child(top, 'channel', 'rss');
  if (channel) return child(channel, 'channel') ?? channel;
  return /^(?:rss|\?rdf:rdf)$/.test(top.name) ? top : null;
}

/** A document with a channel is a feed even where the channel is bare; one that only says `<rss>` is not. */
function isShow(found: Element, redirected: string | undefined): boolean {
  return redirected !== undefined || (/^(?:channel|atom:feed|feed)$/.test(found.name) && found.children.length > 0);
}

/** What Userland's servers answered for a feed that moved. */
function newLocation(root: Element): string | undefined {
  const redirect = child(child(root, 'rss') ?? root, 'redirect');
  return readText(child(redirect, 'newlocation')) || undefined;
}

/** What stands before the markup is no part of it. */
function fromMarkup(text: string, notes: Notes): string {
  const start = text.search(/<[?!a-z]/i);
  const before = start > 0 ? text.slice(0, start).replace(/^\ufeff/, '') : '';
  if (before.trim()) notes.repaired('junk_before_declaration');
  else if (before && text.startsWith('<?xml', start)) notes.repaired('space_before_declaration');
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

function noteIrregularities({ irregularities }: Tree, notes: Notes) {
  for (const [kind, times] of irregularities) {
    const [repair, loss] = [REPAIRS[kind], LOSSES[kind]];
    if (repair) notes.repaired(repair, 0, times);
    if (loss) notes.lost(loss, 0, times);
  }
}

function joined(show: ReadShow, items: ReadItem[]): ImportedFeed {
  const episodes = items.map((item) => ({ ...item, explicit: item.explicit ?? show.explicit }));
  const newest = episodes.reduce((last, { publishedAt }) => Math.max(last, publishedAt?.getTime() ?? 0), 0);
  return { ...show, changedAt: show.changedAt ?? (newest > 0 ? new Date(newest) : null), episodes };
}

function told({ notes, items }: Collected, first: Notes): Pick<Reading, 'items' | 'repairs' | 'losses'> {
  return {
    items,
    repairs: [...first.repairs(), ...notes.repairs()],
    losses: [...first.losses(), ...notes.losses()],
  };
}
