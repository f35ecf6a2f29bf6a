import { LIMITS } from '../../limits';
import type { Rule } from './conformance';
import { all, isAddress, isDate, one, text, tidy, within } from './elements';
import type { Element } from './tree';

const LONGEST_VALUE = 255;
/** What Apple plays. */
const PLAYED = /^(?:audio\/(?:mpeg|x-m4a|mp4|aac)|video\/(?:mp4|x-m4v|quicktime)|application\/(?:pdf|epub\+zip))$/;
const DURATION = /^(?:\d+|(?:\d{1,3}:)?\d{1,2}:\d{2})$/;
const COUNT = /^(?:[1-9]\d*)?$/;
const TRANSCRIPTS =
  /^(?:text\/(?:plain|html|vtt|srt)|application\/(?:json|srt|x-subrip|vtt|ttml\+xml|x-subtitle-vtt))$/;

const enclosed = (item: Element, name: string) => one(item, 'enclosure')?.attributes.get(name) ?? '';

/** What an episode must and should say. */
export const EPISODE_RULES: readonly Rule<Element>[] = [
  { name: 'episode_title', source: 'apple', severity: 'error', check: (item) => text(item, 'title') !== '' },
  {
    name: 'episode_title_length',
    source: 'psp',
    severity: 'error',
    check: (item) => text(item, 'title').length <= LONGEST_VALUE,
  },
  { name: 'enclosure_once', source: 'apple', severity: 'error', check: (item) => all(item, 'enclosure').length === 1 },
  { name: 'enclosure_address', source: 'apple', severity: 'error', check: (item) => isAddress(enclosed(item, 'url')) },
  {
    name: 'enclosure_ascii',
    source: 'apple',
    severity: 'error',
    check: (item) => /^[\u0020-\u007e]*$/.test(enclosed(item, 'url')),
  },
  {
    name: 'enclosure_length',
    source: 'apple',
    severity: 'error',
    check: (item) => /^[1-9]\d*$/.test(enclosed(item, 'length')),
  },
  { name: 'enclosure_type', source: 'apple', severity: 'error', check: (item) => PLAYED.test(enclosed(item, 'type')) },
  { name: 'guid_present', source: 'apple', severity: 'error', check: (item) => text(item, 'guid') !== '' },
  {
    name: 'guid_permalink',
    source: 'rss',
    severity: 'error',
    check: (item) => one(item, 'guid')?.attributes.get('ispermalink') === 'false' || isAddress(text(item, 'guid')),
  },
  { name: 'date_present', source: 'apple', severity: 'advice', check: (item) => text(item, 'pubdate') !== '' },
  {
    name: 'date_written',
    source: 'apple',
    severity: 'error',
    check: (item) => !one(item, 'pubdate') || isDate(text(item, 'pubdate')),
  },
  { name: 'description_given', source: 'psp', severity: 'advice', check: (item) => text(item, 'description') !== '' },
  {
    name: 'episode_description_bytes',
    source: 'apple',
    severity: 'error',
    check: (item) => within(item, 'description', LIMITS.feed.episodeBytes),
  },
  {
    name: 'duration_present',
    source: 'apple',
    severity: 'advice',
    check: (item) => text(item, 'itunes:duration') !== '',
  },
  {
    name: 'duration_written',
    source: 'apple',
    severity: 'error',
    check: (item) => !one(item, 'itunes:duration') || DURATION.test(text(item, 'itunes:duration')),
  },
  {
    name: 'episode_explicit',
    source: 'psp',
    severity: 'error',
    check: (item) => /^(?:true|false)?$/.test(text(item, 'itunes:explicit')),
  },
  {
    name: 'episode_type',
    source: 'apple',
    severity: 'error',
    check: (item) => /^(?:full|trailer|bonus)?$/i.test(text(item, 'itunes:episodetype')),
  },
  {
    name: 'episode_numbers',
    source: 'apple',
    severity: 'error',
    check: (item) => COUNT.test(text(item, 'itunes:episode')) && COUNT.test(text(item, 'itunes:season')),
  },
  {
    name: 'serial_numbers',
    source: 'apple',
    severity: 'advice',
    check: (item, { channel }) =>
      text(channel, 'itunes:type') !== 'serial' ||
      /^(?:trailer|bonus)$/i.test(text(item, 'itunes:episodetype')) ||
      text(item, 'itunes:episode') !== '',
  },
  {
    name: 'episode_image',
    source: 'apple',
    severity: 'error',
    check: (item) => !one(item, 'itunes:image') || isAddress(one(item, 'itunes:image')?.attributes.get('href') ?? ''),
  },
  {
    name: 'transcript_type',
    source: 'podcasting',
    severity: 'error',
    check: (item) =>
      all(item, 'podcast:transcript').every(
        ({ attributes }) => isAddress(attributes.get('url') ?? '') && TRANSCRIPTS.test(attributes.get('type') ?? ''),
      ),
  },
  {
    name: 'chapters_type',
    source: 'podcasting',
    severity: 'error',
    check: (item) =>
      all(item, 'podcast:chapters').every(
        ({ attributes }) =>
          isAddress(attributes.get('url') ?? '') && /^application\/json/.test(attributes.get('type') ?? ''),
      ),
  },
  { name: 'episode_values_tidy', source: 'psp', severity: 'error', check: tidy },
];
