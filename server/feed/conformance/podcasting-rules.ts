import { FEED_LIMITS } from '../../limits/feeds';
import { all, child, said, text } from '../markup/elements';
import type { Element } from '../markup/tree';
import { must, type Rules, should } from './rule';
import { isAddress, isAtMost, isDate, isEmail } from './values';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const YES_OR_NO = /^(?:yes|no)$/;
const WHOLE = /^\d+$/;
const DECIMAL = /^\d+(?:\.\d+)?$/;
/** Longer ones may be cut by whoever shows them. */
const LENGTH = FEED_LIMITS.length;
const MEDIUM = /^(?:(?:podcast|music|video|film|audiobook|newsletter|blog|publisher|course)L?|mixed)$/;
const TRANSCRIPTS =
  /^(?:text\/(?:plain|html|vtt|srt)|application\/(?:json|srt|x-subrip|vtt|ttml\+xml|x-subtitle-vtt))$/;
const GROUPS =
  /^(?:creative direction|cast|writing|audio production|audio post-production|administration|visuals|community|misc\.?|video production|video post-production)?$/i;
/** RFC 5870, as far as the tag takes it. */
const GEO = /^(?:geo:-?\d{1,2}(?:\.\d+)?,-?\d{1,3}(?:\.\d+)?(?:,-?\d+(?:\.\d+)?)?(?:;.*)?)?$/;
const OSM = /^(?:[NWR]\d+(?:#\d+)?)?$/;
/** SPDX identifiers in lower case. */
const SPDX = /^[a-z\d][a-z\d.+-]*$/;
const RATIO = /^(?:\d+(?:\.\d+)?(?:\s*\/\s*\d+(?:\.\d+)?)?)?$/;
/** RFC 5545 §3.3.10. */
const RECURRENCE =
  /^(?=(?:.*;)?FREQ=(?:SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)(?:;|$))[A-Z]+=[^;=]+(?:;[A-Z]+=[^;=]+)*$/;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether all elements of a name keep to something; so do none. */
const every = (parent: Element, name: string, keeps: (one: Element) => boolean) => all(parent, name).every(keeps);
const isNamed = ({ text }: Element, most: number) => text.trim() !== '' && isAtMost(text.trim(), most);
const isAddressOrNone = (value: string) => value === '' || isAddress(value);

/** Tags of Podcasting 2.0 and Spotify that stand in the show alone. */
export const PODCASTING_SHOW_RULES = {
  guid_of_podcast: should('podcasting: tags/guid', (show) => UUID.test(text(show, 'podcast:guid'))),
  locked_said: should(
    'podcasting: tags/locked',
    (show) =>
      YES_OR_NO.test(text(show, 'podcast:locked')) &&
      every(show, 'podcast:locked', (one) => !one.attributes.has('owner') || isEmail(said(one, 'owner'))),
  ),
  funding_address: must('podcasting: tags/funding', (show) =>
    every(show, 'podcast:funding', (one) => isAddress(said(one, 'url'))),
  ),
  funding_text: should('podcasting: tags/funding', (show) =>
    every(show, 'podcast:funding', (one) => isNamed(one, LENGTH.name)),
  ),
  block_services: must('podcasting: tags/block', (show) =>
    every(
      show,
      'podcast:block',
      (one) => YES_OR_NO.test(one.text.trim()) && (!one.attributes.has('id') || said(one, 'id') !== ''),
    ),
  ),
  medium_known: must('podcasting: tags/medium', (show) =>
    every(show, 'podcast:medium', (one) => MEDIUM.test(one.text)),
  ),
  trailer_whole: must('podcasting: tags/trailer', (show) =>
    every(
      show,
      'podcast:trailer',
      (one) => isNamed(one, LENGTH.name) && isAddress(said(one, 'url')) && isDate(said(one, 'pubdate')),
    ),
  ),
  trailer_file: should('podcasting: tags/trailer', (show) =>
    every(
      show,
      'podcast:trailer',
      (one) => /^[1-9]\d*$/.test(said(one, 'length')) && /^(?:audio|video)\/\S+$/.test(said(one, 'type')),
    ),
  ),
  podroll_filled: must('podcasting: tags/podroll', (show) =>
    every(show, 'podcast:podroll', (podroll) => {
      const list = all(podroll, 'podcast:remoteitem');
      return (
        list.length > 0 && list.every((one) => said(one, 'feedguid') !== '' && isAddressOrNone(said(one, 'feedurl')))
      );
    }),
  ),
  update_frequency: must(
    'podcasting: tags/updateFrequency',
    (show) => all(show, 'podcast:updatefrequency').length <= 1 && every(show, 'podcast:updatefrequency', isFrequency),
  ),
  spotify_partner: must('spotify: Content access', (show) =>
    every(show, 'spotify:access', (access) => said(child(access, 'partner'), 'id') !== ''),
  ),
} satisfies Rules;

function isFrequency(one: Element): boolean {
  const [rule, start] = [said(one, 'rrule'), said(one, 'dtstart')];
  const isStart = start === '' || (ISO_8601.test(start) && !Number.isNaN(Date.parse(start)));
  // so many times from when on
  const isRule = rule === '' || (RECURRENCE.test(rule) && (start !== '' || !rule.includes('COUNT=')));
  const isComplete = /^(?:true|false)?$/.test(said(one, 'complete'));
  return isStart && isRule && isComplete && isAtMost(one.text.trim(), LENGTH.name);
}

/** Tags of Podcasting 2.0 and Spotify that stand in an episode alone. */
export const PODCASTING_EPISODE_RULES = {
  transcript_type: must('podcasting: tags/transcript', (item) =>
    every(item, 'podcast:transcript', (one) => isAddress(said(one, 'url')) && TRANSCRIPTS.test(said(one, 'type'))),
  ),
  chapters_type: must(
    'podcasting: tags/chapters',
    (item) =>
      all(item, 'podcast:chapters').length <= 1 &&
      every(
        item,
        'podcast:chapters',
        (one) => isAddress(said(one, 'url')) && /^application\/json/.test(said(one, 'type')),
      ),
  ),
  soundbite_times: must('podcasting: tags/soundbite', (item) =>
    every(
      item,
      'podcast:soundbite',
      (one) => DECIMAL.test(said(one, 'starttime')) && DECIMAL.test(said(one, 'duration')),
    ),
  ),
  soundbite_length: should('podcasting: tags/soundbite', (item) =>
    every(item, 'podcast:soundbite', (one) => {
      const seconds = Number(said(one, 'duration'));
      const { min, max } = FEED_LIMITS.soundbiteSeconds;
      return seconds >= min && seconds <= max && isAtMost(one.text.trim(), LENGTH.name);
    }),
  ),
  season_named: must('podcasting: tags/season', (item) =>
    every(item, 'podcast:season', (one) => WHOLE.test(one.text) && isAtMost(said(one, 'name'), LENGTH.name)),
  ),
  episode_named: must('podcasting: tags/episode', (item) =>
    every(item, 'podcast:episode', (one) => DECIMAL.test(one.text) && isAtMost(said(one, 'display'), LENGTH.label)),
  ),
  spotify_entitlements: must('spotify: Content access', (item, { channel }) =>
    every(item, 'spotify:access', (access) => {
      const list = all(access, 'entitlement');
      return (
        child(channel, 'spotify:access') !== undefined &&
        list.length > 0 &&
        list.every((one) => said(one, 'name') !== '')
      );
    }),
  ),
} satisfies Rules;

/** Tags of Podcasting 2.0 that stand in the show and in episodes alike. */
export const SHARED_RULES = {
  person_named: must('podcasting: tags/person', (parent) =>
    every(
      parent,
      'podcast:person',
      (one) => isNamed(one, LENGTH.name) && isAddressOrNone(said(one, 'img')) && isAddressOrNone(said(one, 'href')),
    ),
  ),
  person_group: should('podcasting: tags/person, Podcast Taxonomy', (parent) =>
    every(parent, 'podcast:person', (one) => GROUPS.test(said(one, 'group'))),
  ),
  location_named: must('podcasting: tags/location', (parent) =>
    every(
      parent,
      'podcast:location',
      (one) => isNamed(one, LENGTH.name) && /^(?:subject|creator)?$/.test(said(one, 'rel')),
    ),
  ),
  location_place: must('podcasting: tags/location', (parent) =>
    every(
      parent,
      'podcast:location',
      (one) =>
        GEO.test(said(one, 'geo')) && OSM.test(said(one, 'osm')) && /^(?:[A-Za-z]{2})?$/.test(said(one, 'country')),
    ),
  ),
  license_named: must(
    'podcasting: tags/license',
    (parent) =>
      all(parent, 'podcast:license').length <= 1 &&
      every(parent, 'podcast:license', (one) =>
        one.attributes.has('url') ? isNamed(one, LENGTH.name) && isAddress(said(one, 'url')) : SPDX.test(one.text),
      ),
  ),
  text_length: must('podcasting: tags/txt', (parent) =>
    every(parent, 'podcast:txt', (one) => isNamed(one, LENGTH.txt) && isAtMost(said(one, 'purpose'), LENGTH.name)),
  ),
  image_described: must('podcasting: tags/image', (parent) =>
    every(
      parent,
      'podcast:image',
      (one) =>
        isAddress(said(one, 'href')) &&
        RATIO.test(said(one, 'aspect-ratio')) &&
        ['width', 'height'].every((name) => /^(?:[1-9]\d*)?$/.test(said(one, name))) &&
        isAtMost(said(one, 'purpose'), LENGTH.name),
    ),
  ),
} satisfies Rules;
