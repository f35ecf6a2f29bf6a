import { FEED_LIMITS } from '../../limits/feeds';
import { all, child, said, text } from '../markup/elements';
import type { Element } from '../markup/tree';
import { must, type Rules, should } from './rule';
import { isAddress, isAtMost, isDate, isTidy, within } from './values';

/** What Apple plays. */
const PLAYED = /^(?:audio\/(?:mpeg|x-m4a|mp4|aac)|video\/(?:mp4|x-m4v|quicktime)|application\/(?:pdf|epub\+zip))$/;
const DURATION = /^(?:\d+|(?:\d{1,3}:)?\d{1,2}:\d{2})$/;
const COUNT = /^(?:[1-9]\d*)?$/;
const ADVERTISES = /^(?:trailer|bonus)$/i;

const enclosed = (item: Element, name: string) => said(child(item, 'enclosure'), name);

/** What an episode must and should say in RSS and in Apple's tags. */
export const EPISODE_RULES = {
  episode_title: must('apple: title', (item) => text(item, 'title') !== ''),
  episode_title_length: must('psp: Namespace Declarations, node values', (item) =>
    isAtMost(text(item, 'title'), FEED_LIMITS.length.value),
  ),
  episode_values_tidy: must('psp: Namespace Declarations, node values', isTidy),
  enclosure_once: must('apple: enclosure', (item) => all(item, 'enclosure').length === 1),
  enclosure_address: must('apple: enclosure, url', (item) => isAddress(enclosed(item, 'url'))),
  enclosure_ascii: must('apple: enclosure, ASCII file names', (item) =>
    /^[\u0020-\u007e]*$/.test(enclosed(item, 'url')),
  ),
  enclosure_length: must('apple: enclosure, length', (item) => /^[1-9]\d*$/.test(enclosed(item, 'length'))),
  enclosure_type: must('apple: enclosure, type', (item) => PLAYED.test(enclosed(item, 'type'))),
  guid_present: must('apple: guid', (item) => text(item, 'guid') !== ''),
  guid_permalink: must(
    'rss: Elements of item, guid',
    (item) => said(child(item, 'guid'), 'ispermalink') === 'false' || isAddress(text(item, 'guid')),
  ),
  date_present: should('apple: pubDate', (item) => text(item, 'pubdate') !== ''),
  date_written: must('apple: pubDate', (item) => !child(item, 'pubdate') || isDate(text(item, 'pubdate'))),
  description_given: should('apple: description', (item) => text(item, 'description') !== ''),
  episode_description_bytes: must('apple: description', (item) =>
    within(item, 'description', FEED_LIMITS.episodeBytes),
  ),
  notes_once: must('profile: content:encoded', (item) => all(item, 'content:encoded').length <= 1),
  duration_present: should('apple: itunes:duration', (item) => text(item, 'itunes:duration') !== ''),
  duration_written: must(
    'apple: itunes:duration',
    (item) => !child(item, 'itunes:duration') || DURATION.test(text(item, 'itunes:duration')),
  ),
  episode_explicit: must('apple: itunes:explicit', (item) => /^(?:true|false)?$/.test(text(item, 'itunes:explicit'))),
  episode_type: must('apple: itunes:episodeType', (item) =>
    /^(?:full|trailer|bonus)?$/i.test(text(item, 'itunes:episodetype')),
  ),
  episode_numbers: must(
    'apple: itunes:episode and itunes:season',
    (item) => COUNT.test(text(item, 'itunes:episode')) && COUNT.test(text(item, 'itunes:season')),
  ),
  serial_numbers: should(
    'apple: itunes:type, serial',
    (item, { channel }) =>
      text(channel, 'itunes:type') !== 'serial' ||
      ADVERTISES.test(text(item, 'itunes:episodetype')) ||
      text(item, 'itunes:episode') !== '',
  ),
  episode_image: must(
    'apple: itunes:image',
    (item) => !child(item, 'itunes:image') || isAddress(said(child(item, 'itunes:image'), 'href')),
  ),
  episode_block_said: should('apple: itunes:block', (item) =>
    all(item, 'itunes:block').every(({ text }) => text === 'Yes'),
  ),
} satisfies Rules;
