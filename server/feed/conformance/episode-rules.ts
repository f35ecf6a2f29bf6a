import { FEED_LIMITS } from '../../limits/feeds';
import { attributeOf, childrenNamed, childText, firstChild } from '../markup/elements';
import type { Element } from '../markup/tree';
import { must, type Rules, should } from './rule';
import { fitsBytes, isAtMost, isDate, isTrimmed, isUrl } from './values';

/** Types that Apple plays. */
const PLAYABLE = /^(?:audio\/(?:mpeg|x-m4a|mp4|aac)|video\/(?:mp4|x-m4v|quicktime)|application\/(?:pdf|epub\+zip))$/;
const DURATION = /^(?:\d+|(?:\d{1,3}:)?\d{1,2}:\d{2})$/;
const COUNT = /^(?:[1-9]\d*)?$/;
const UNNUMBERED = /^(?:trailer|bonus)$/i;

const enclosureAttribute = (item: Element, name: string) => attributeOf(firstChild(item, 'enclosure'), name);

/** Rules for the RSS and Apple tags of an episode. */
export const EPISODE_RULES = {
  episode_title: must('apple: title', (item) => childText(item, 'title') !== ''),
  episode_title_length: must('psp: Namespace Declarations, node values', (item) =>
    isAtMost(childText(item, 'title'), FEED_LIMITS.length.value),
  ),
  episode_values_trimmed: must('psp: Namespace Declarations, node values', isTrimmed),
  enclosure_once: must('apple: enclosure', (item) => childrenNamed(item, 'enclosure').length === 1),
  enclosure_url: must('apple: enclosure, url', (item) => isUrl(enclosureAttribute(item, 'url'))),
  enclosure_ascii: must('apple: enclosure, ASCII file names', (item) =>
    /^[\u0020-\u007e]*$/.test(enclosureAttribute(item, 'url')),
  ),
  enclosure_length: must('apple: enclosure, length', (item) => /^[1-9]\d*$/.test(enclosureAttribute(item, 'length'))),
  enclosure_type: must('apple: enclosure, type', (item) => PLAYABLE.test(enclosureAttribute(item, 'type'))),
  guid_present: must('apple: guid', (item) => childText(item, 'guid') !== ''),
  guid_permalink: must(
    'rss: Elements of item, guid',
    (item) => attributeOf(firstChild(item, 'guid'), 'ispermalink') === 'false' || isUrl(childText(item, 'guid')),
  ),
  date_present: should('apple: pubDate', (item) => childText(item, 'pubdate') !== ''),
  date_valid: must('apple: pubDate', (item) => !firstChild(item, 'pubdate') || isDate(childText(item, 'pubdate'))),
  item_description_present: should('apple: description', (item) => childText(item, 'description') !== ''),
  episode_description_bytes: must('apple: description', (item) =>
    fitsBytes(item, 'description', FEED_LIMITS.episodeBytes),
  ),
  notes_once: must('profile: content:encoded', (item) => childrenNamed(item, 'content:encoded').length <= 1),
  duration_present: should('apple: itunes:duration', (item) => childText(item, 'itunes:duration') !== ''),
  duration_valid: must(
    'apple: itunes:duration',
    (item) => !firstChild(item, 'itunes:duration') || DURATION.test(childText(item, 'itunes:duration')),
  ),
  episode_explicit: must('apple: itunes:explicit', (item) =>
    /^(?:true|false)?$/.test(childText(item, 'itunes:explicit')),
  ),
  episode_type: must('apple: itunes:episodeType', (item) =>
    /^(?:full|trailer|bonus)?$/i.test(childText(item, 'itunes:episodetype')),
  ),
  episode_numbers: must(
    'apple: itunes:episode and itunes:season',
    (item) => COUNT.test(childText(item, 'itunes:episode')) && COUNT.test(childText(item, 'itunes:season')),
  ),
  serial_numbers: should(
    'apple: itunes:type, serial',
    (item, { channel }) =>
      childText(channel, 'itunes:type') !== 'serial' ||
      UNNUMBERED.test(childText(item, 'itunes:episodetype')) ||
      childText(item, 'itunes:episode') !== '',
  ),
  episode_image: must(
    'apple: itunes:image',
    (item) => !firstChild(item, 'itunes:image') || isUrl(attributeOf(firstChild(item, 'itunes:image'), 'href')),
  ),
  episode_block_value: should('apple: itunes:block', (item) =>
    childrenNamed(item, 'itunes:block').every(({ text }) => text === 'Yes'),
  ),
} satisfies Rules;
