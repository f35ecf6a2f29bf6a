import { FEED_LIMITS } from '../../limits/feeds';
import { attributeOf, childrenNamed, childText, firstChild } from '../markup/elements';
import type { Element } from '../markup/tree';
import { must, type Rules, should } from './rule';
import { isAtMost, isDate, isEmail, isUrl } from './values';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const YES_OR_NO = /^(?:yes|no)$/;
const WHOLE = /^\d+$/;
const DECIMAL = /^\d+(?:\.\d+)?$/;
/** Apps may cut longer values. */
const LENGTH = FEED_LIMITS.length;
const MEDIUM = /^(?:(?:podcast|music|video|film|audiobook|newsletter|blog|publisher|course)L?|mixed)$/;
const TRANSCRIPTS =
  /^(?:text\/(?:plain|html|vtt|srt)|application\/(?:json|srt|x-subrip|vtt|ttml\+xml|x-subtitle-vtt))$/;
const GROUPS =
  /^(?:creative direction|cast|writing|audio production|audio post-production|administration|visuals|community|misc\.?|video production|video post-production)?$/i;
/** The part of RFC 5870 that the tag allows. */
const GEO = /^(?:geo:-?\d{1,2}(?:\.\d+)?,-?\d{1,3}(?:\.\d+)?(?:,-?\d+(?:\.\d+)?)?(?:;.*)?)?$/;
const OSM = /^(?:[NWR]\d+(?:#\d+)?)?$/;
/** SPDX identifiers in lower case. */
const SPDX = /^[a-z\d][a-z\d.+-]*$/;
const RATIO = /^(?:\d+(?:\.\d+)?(?:\s*\/\s*\d+(?:\.\d+)?)?)?$/;
/** RFC 5545 §3.3.10. */
const RECURRENCE =
  /^(?=(?:.*;)?FREQ=(?:SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)(?:;|$))[A-Z]+=[^;=]+(?:;[A-Z]+=[^;=]+)*$/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether all elements of this name comply; true if there are none. */
const every = (parent: Element, name: string, complies: (tag: Element) => boolean) =>
  childrenNamed(parent, name).every(complies);
const isNamed = ({ text }: Element, maxCharacters: number) =>
  text.trim() !== '' && isAtMost(text.trim(), maxCharacters);
const isUrlOrEmpty = (value: string) => value === '' || isUrl(value);

/** Rules for Podcasting 2.0 and Spotify tags that occur only in shows. */
export const PODCASTING_SHOW_RULES = {
  guid_of_podcast: should('podcasting: tags/guid', (show) => UUID.test(childText(show, 'podcast:guid'))),
  locked_value: should(
    'podcasting: tags/locked',
    (show) =>
      YES_OR_NO.test(childText(show, 'podcast:locked')) &&
      every(show, 'podcast:locked', (tag) => !tag.attributes.has('owner') || isEmail(attributeOf(tag, 'owner'))),
  ),
  funding_url: must('podcasting: tags/funding', (show) =>
    every(show, 'podcast:funding', (tag) => isUrl(attributeOf(tag, 'url'))),
  ),
  funding_text: should('podcasting: tags/funding', (show) =>
    every(show, 'podcast:funding', (tag) => isNamed(tag, LENGTH.name)),
  ),
  block_services: must('podcasting: tags/block', (show) =>
    every(
      show,
      'podcast:block',
      (tag) => YES_OR_NO.test(tag.text.trim()) && (!tag.attributes.has('id') || attributeOf(tag, 'id') !== ''),
    ),
  ),
  medium_known: must('podcasting: tags/medium', (show) =>
    every(show, 'podcast:medium', (tag) => MEDIUM.test(tag.text)),
  ),
  trailer_complete: must('podcasting: tags/trailer', (show) =>
    every(
      show,
      'podcast:trailer',
      (tag) => isNamed(tag, LENGTH.name) && isUrl(attributeOf(tag, 'url')) && isDate(attributeOf(tag, 'pubdate')),
    ),
  ),
  trailer_file: should('podcasting: tags/trailer', (show) =>
    every(
      show,
      'podcast:trailer',
      (tag) => /^[1-9]\d*$/.test(attributeOf(tag, 'length')) && /^(?:audio|video)\/\S+$/.test(attributeOf(tag, 'type')),
    ),
  ),
  podroll_entries: must('podcasting: tags/podroll', (show) =>
    every(show, 'podcast:podroll', (podroll) => {
      const list = childrenNamed(podroll, 'podcast:remoteitem');
      return (
        list.length > 0 &&
        list.every((tag) => attributeOf(tag, 'feedguid') !== '' && isUrlOrEmpty(attributeOf(tag, 'feedurl')))
      );
    }),
  ),
  update_frequency: must(
    'podcasting: tags/updateFrequency',
    (show) =>
      childrenNamed(show, 'podcast:updatefrequency').length <= 1 && every(show, 'podcast:updatefrequency', isFrequency),
  ),
  spotify_partner: must('spotify: Content access', (show) =>
    every(show, 'spotify:access', (access) => attributeOf(firstChild(access, 'partner'), 'id') !== ''),
  ),
} satisfies Rules;

function isFrequency(tag: Element): boolean {
  const [rule, start] = [attributeOf(tag, 'rrule'), attributeOf(tag, 'dtstart')];
  const isStart = start === '' || (ISO_8601.test(start) && !Number.isNaN(Date.parse(start)));
  // COUNT needs a start date
  const isRule = rule === '' || (RECURRENCE.test(rule) && (start !== '' || !rule.includes('COUNT=')));
  const isComplete = /^(?:true|false)?$/.test(attributeOf(tag, 'complete'));
  return isStart && isRule && isComplete && isAtMost(tag.text.trim(), LENGTH.name);
}

/** Rules for Podcasting 2.0 and Spotify tags that occur only in episodes. */
export const PODCASTING_EPISODE_RULES = {
  transcript_type: must('podcasting: tags/transcript', (item) =>
    every(
      item,
      'podcast:transcript',
      (tag) => isUrl(attributeOf(tag, 'url')) && TRANSCRIPTS.test(attributeOf(tag, 'type')),
    ),
  ),
  chapters_type: must(
    'podcasting: tags/chapters',
    (item) =>
      childrenNamed(item, 'podcast:chapters').length <= 1 &&
      every(
        item,
        'podcast:chapters',
        (tag) => isUrl(attributeOf(tag, 'url')) && /^application\/json/.test(attributeOf(tag, 'type')),
      ),
  ),
  soundbite_times: must('podcasting: tags/soundbite', (item) =>
    every(
      item,
      'podcast:soundbite',
      (tag) => DECIMAL.test(attributeOf(tag, 'starttime')) && DECIMAL.test(attributeOf(tag, 'duration')),
    ),
  ),
  soundbite_length: should('podcasting: tags/soundbite', (item) =>
    every(item, 'podcast:soundbite', (tag) => {
      const seconds = Number(attributeOf(tag, 'duration'));
      const { min, max } = FEED_LIMITS.soundbiteSeconds;
      return seconds >= min && seconds <= max && isAtMost(tag.text.trim(), LENGTH.name);
    }),
  ),
  season_named: must('podcasting: tags/season', (item) =>
    every(item, 'podcast:season', (tag) => WHOLE.test(tag.text) && isAtMost(attributeOf(tag, 'name'), LENGTH.name)),
  ),
  episode_named: must('podcasting: tags/episode', (item) =>
    every(
      item,
      'podcast:episode',
      (tag) => DECIMAL.test(tag.text) && isAtMost(attributeOf(tag, 'display'), LENGTH.label),
    ),
  ),
  spotify_entitlements: must('spotify: Content access', (item, { channel }) =>
    every(item, 'spotify:access', (access) => {
      const list = childrenNamed(access, 'entitlement');
      return (
        firstChild(channel, 'spotify:access') !== undefined &&
        list.length > 0 &&
        list.every((tag) => attributeOf(tag, 'name') !== '')
      );
    }),
  ),
} satisfies Rules;

/** Rules for Podcasting 2.0 tags that occur in shows and episodes. */
export const SHARED_RULES = {
  person_named: must('podcasting: tags/person', (parent) =>
    every(
      parent,
      'podcast:person',
      (tag) =>
        isNamed(tag, LENGTH.name) && isUrlOrEmpty(attributeOf(tag, 'img')) && isUrlOrEmpty(attributeOf(tag, 'href')),
    ),
  ),
  person_group: should('podcasting: tags/person, Podcast Taxonomy', (parent) =>
    every(parent, 'podcast:person', (tag) => GROUPS.test(attributeOf(tag, 'group'))),
  ),
  location_named: must('podcasting: tags/location', (parent) =>
    every(
      parent,
      'podcast:location',
      (tag) => isNamed(tag, LENGTH.name) && /^(?:subject|creator)?$/.test(attributeOf(tag, 'rel')),
    ),
  ),
  location_place: must('podcasting: tags/location', (parent) =>
    every(
      parent,
      'podcast:location',
      (tag) =>
        GEO.test(attributeOf(tag, 'geo')) &&
        OSM.test(attributeOf(tag, 'osm')) &&
        /^(?:[A-Za-z]{2})?$/.test(attributeOf(tag, 'country')),
    ),
  ),
  license_named: must(
    'podcasting: tags/license',
    (parent) =>
      childrenNamed(parent, 'podcast:license').length <= 1 &&
      every(parent, 'podcast:license', (tag) =>
        tag.attributes.has('url') ? isNamed(tag, LENGTH.name) && isUrl(attributeOf(tag, 'url')) : SPDX.test(tag.text),
      ),
  ),
  text_length: must('podcasting: tags/txt', (parent) =>
    every(
      parent,
      'podcast:txt',
      (tag) => isNamed(tag, LENGTH.txt) && isAtMost(attributeOf(tag, 'purpose'), LENGTH.name),
    ),
  ),
  image_described: must('podcasting: tags/image', (parent) =>
    every(
      parent,
      'podcast:image',
      (tag) =>
        isUrl(attributeOf(tag, 'href')) &&
        RATIO.test(attributeOf(tag, 'aspect-ratio')) &&
        ['width', 'height'].every((name) => /^(?:[1-9]\d*)?$/.test(attributeOf(tag, name))) &&
        isAtMost(attributeOf(tag, 'purpose'), LENGTH.name),
    ),
  ),
} satisfies Rules;
