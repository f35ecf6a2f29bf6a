import { LIMITS } from '../../limits';
import { CATEGORIES, categoryPath } from '../reference/kinds';
import type { Rule } from './conformance';
import { all, isAddress, isDate, isEmail, one, text, tidy, within } from './elements';
import type { Element } from './tree';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/;
/** PSP-1: values of at most so many characters. */
const LONGEST_VALUE = 255;

/** What a show must and should say. */
export const SHOW_RULES: readonly Rule<Element>[] = [
  { name: 'title_present', source: 'rss', severity: 'error', check: (show) => text(show, 'title') !== '' },
  {
    name: 'title_length',
    source: 'psp',
    severity: 'error',
    check: (show) => text(show, 'title').length <= LONGEST_VALUE,
  },
  { name: 'title_once', source: 'rss', severity: 'error', check: (show) => all(show, 'title').length === 1 },
  { name: 'description_present', source: 'rss', severity: 'error', check: (show) => text(show, 'description') !== '' },
  {
    name: 'description_bytes',
    source: 'apple',
    severity: 'error',
    check: (show) => within(show, 'description', LIMITS.feed.showBytes),
  },
  { name: 'link_present', source: 'rss', severity: 'error', check: (show) => isAddress(text(show, 'link')) },
  {
    name: 'language_present',
    source: 'apple',
    severity: 'error',
    check: (show) => LANGUAGE.test(text(show, 'language')),
  },
  {
    name: 'self_link',
    source: 'psp',
    severity: 'error',
    check: (show) =>
      all(show, 'atom:link').some(
        ({ attributes }) => attributes.get('rel') === 'self' && isAddress(attributes.get('href') ?? ''),
      ),
  },
  {
    name: 'image_present',
    source: 'apple',
    severity: 'error',
    check: (show) => isAddress(one(show, 'itunes:image')?.attributes.get('href') ?? ''),
  },
  {
    name: 'image_type',
    source: 'apple',
    severity: 'advice',
    check: (show) => /\.(?:jpe?g|png)(?:\?|$)/i.test(one(show, 'itunes:image')?.attributes.get('href') ?? ''),
  },
  { name: 'explicit_present', source: 'apple', severity: 'error', check: isExplicit },
  {
    name: 'category_present',
    source: 'apple',
    severity: 'error',
    check: (show) => all(show, 'itunes:category').length > 0,
  },
  { name: 'category_known', source: 'apple', severity: 'error', check: categoriesKnown },
  { name: 'author_present', source: 'psp', severity: 'advice', check: (show) => text(show, 'itunes:author') !== '' },
  {
    name: 'owner_email',
    source: 'spotify',
    severity: 'advice',
    check: (show) => isEmail(text(one(show, 'itunes:owner'), 'itunes:email')),
  },
  {
    name: 'type_known',
    source: 'apple',
    severity: 'error',
    check: (show) => /^(?:episodic|serial)?$/.test(text(show, 'itunes:type')),
  },
  {
    name: 'new_address',
    source: 'apple',
    severity: 'error',
    check: (show) => !one(show, 'itunes:new-feed-url') || isAddress(text(show, 'itunes:new-feed-url')),
  },
  {
    name: 'dates_written',
    source: 'rss',
    severity: 'error',
    check: (show) => ['pubdate', 'lastbuilddate'].every((name) => !one(show, name) || isDate(text(show, name))),
  },
  { name: 'values_tidy', source: 'psp', severity: 'error', check: tidy },
  {
    name: 'guid_of_podcast',
    source: 'podcasting',
    severity: 'advice',
    check: (show) => UUID.test(text(show, 'podcast:guid')),
  },
  {
    name: 'locked_said',
    source: 'psp',
    severity: 'advice',
    check: (show) => /^(?:yes|no)$/.test(text(show, 'podcast:locked')),
  },
  {
    name: 'funding_address',
    source: 'podcasting',
    severity: 'error',
    check: (show) => all(show, 'podcast:funding').every(({ attributes }) => isAddress(attributes.get('url') ?? '')),
  },
  {
    name: 'spotify_partner',
    source: 'spotify',
    severity: 'error',
    check: (show) => {
      const access = one(show, 'spotify:access');
      return !access || (one(access, 'partner')?.attributes.get('id') ?? '') !== '';
    },
  },
  {
    name: 'guids_distinct',
    source: 'apple',
    severity: 'error',
    check: (_, { items }) => distinct(items.map((item) => text(item, 'guid'))),
  },
  {
    name: 'files_distinct',
    source: 'apple',
    severity: 'error',
    check: (_, { items }) => distinct(items.map((item) => one(item, 'enclosure')?.attributes.get('url') ?? '')),
  },
  {
    name: 'encoding_utf8',
    source: 'apple',
    severity: 'error',
    check: (_, { source }) => /^<\?xml version="1\.0" encoding="utf-8"/i.test(source),
  },
  { name: 'episodes_present', source: 'apple', severity: 'advice', check: (_, { items }) => items.length > 0 },
];

function isExplicit(show: Element): boolean {
  return /^(?:true|false)$/.test(text(show, 'itunes:explicit'));
}

const NAMES = new Map(CATEGORIES.map(({ id, name }) => [name, id]));

/** Capitals count, and a sub-category stands below its own category. */
function categoriesKnown(show: Element): boolean {
  return all(show, 'itunes:category').every((category) => {
    const name = category.attributes.get('text') ?? '';
    const id = NAMES.get(name);
    if (id === undefined || categoryPath(id)?.parent) return false;
    return all(category, 'itunes:category').every((sub) => {
      const below = NAMES.get(sub.attributes.get('text') ?? '');
      return below !== undefined && categoryPath(below)?.parent?.name === name;
    });
  });
}

function distinct(values: string[]): boolean {
  const given = values.filter((value) => value !== '');
  return new Set(given).size === given.length;
}
