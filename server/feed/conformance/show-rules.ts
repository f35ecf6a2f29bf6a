import { FEED_LIMITS } from '../../limits/feeds';
import { CATEGORIES, categoryPath } from '../apple-categories';
import { attributeOf, childrenNamed, childText, firstChild } from '../markup/elements';
import type { Element } from '../markup/tree';
import { must, type Rules, should } from './rule';
import { fitsBytes, isAtMost, isDate, isEmail, isTrimmed, isUrl } from './values';

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/;

/** Rules for the RSS, Apple and Atom tags of a show. */
export const SHOW_RULES = {
  title_present: must('rss: Required channel elements, title', (show) => childText(show, 'title') !== ''),
  title_once: must('rss: Required channel elements, title', (show) => childrenNamed(show, 'title').length === 1),
  title_length: must('psp: Namespace Declarations, node values', (show) =>
    isAtMost(childText(show, 'title'), FEED_LIMITS.length.value),
  ),
  values_trimmed: must('psp: Namespace Declarations, node values', isTrimmed),
  description_present: must(
    'rss: Required channel elements, description',
    (show) => childText(show, 'description') !== '',
  ),
  description_bytes: must('psp: Required channel, description', (show) =>
    fitsBytes(show, 'description', FEED_LIMITS.showBytes),
  ),
  link_present: must('rss: Required channel elements, link', (show) => isUrl(childText(show, 'link'))),
  language_present: must('apple: language', (show) => LANGUAGE.test(childText(show, 'language'))),
  dates_valid: must('rss: Optional channel elements, pubDate and lastBuildDate', (show) =>
    ['pubdate', 'lastbuilddate'].every((name) => !firstChild(show, name) || isDate(childText(show, name))),
  ),
  encoding_utf8: must('apple: UTF-8', (_, { source }) => /^<\?xml version="1\.0" encoding="utf-8"/i.test(source)),
  self_link: must('psp: Required channel, atom:link rel="self"', (show) => {
    const links = linksTo(show, 'self');
    return links.length > 0 && links.every((link) => isUrl(attributeOf(link, 'href')));
  }),
  next_link: must('paging: 3. Paged feeds, next', (show) => {
    const links = linksTo(show, 'next');
    return links.length <= 1 && links.every((link) => isUrl(attributeOf(link, 'href')));
  }),
  image_present: must('apple: itunes:image', (show) => isUrl(attributeOf(firstChild(show, 'itunes:image'), 'href'))),
  image_type: should('psp: Required channel, itunes:image', (show) =>
    /\.(?:jpe?g|png)(?:\?|$)/i.test(attributeOf(firstChild(show, 'itunes:image'), 'href')),
  ),
  explicit_present: must('psp: Required channel, itunes:explicit', (show) =>
    /^(?:true|false)$/.test(childText(show, 'itunes:explicit')),
  ),
  category_present: must('apple: itunes:category', (show) => childrenNamed(show, 'itunes:category').length > 0),
  category_known: must('apple: itunes:category, list of categories', areCategoriesKnown),
  author_present: should('psp: Recommended channel, itunes:author', (show) => childText(show, 'itunes:author') !== ''),
  owner_email: should('apple: itunes:owner', (show) =>
    isEmail(childText(firstChild(show, 'itunes:owner'), 'itunes:email')),
  ),
  type_known: must('psp: Situational channel, itunes:type', (show) =>
    /^(?:episodic|serial)?$/.test(childText(show, 'itunes:type')),
  ),
  complete_value: should('psp: Situational channel, itunes:complete', (show) =>
    childrenNamed(show, 'itunes:complete').every((one) => /^yes$/i.test(one.text)),
  ),
  block_value: should('apple: itunes:block', (show) =>
    childrenNamed(show, 'itunes:block').every(({ text }) => text === 'Yes'),
  ),
  new_feed_url: must(
    'apple: itunes:new-feed-url',
    (show) => !firstChild(show, 'itunes:new-feed-url') || isUrl(childText(show, 'itunes:new-feed-url')),
  ),
  episodes_present: must('apple: at least one episode', (_, { items }) => items.length > 0),
  guids_unique: must('apple: guid', (_, { items }) => areUnique(items.map((item) => childText(item, 'guid')))),
  files_unique: must('apple: enclosure', (_, { items }) =>
    areUnique(items.map((item) => attributeOf(firstChild(item, 'enclosure'), 'url'))),
  ),
} satisfies Rules;

function linksTo(show: Element, rel: string): Element[] {
  return childrenNamed(show, 'atom:link').filter((link) => attributeOf(link, 'rel') === rel);
}

const CATEGORY_IDS = new Map(CATEGORIES.map(({ id, name }) => [name, id]));

/** Names are case-sensitive, and a subcategory must be inside its own category. */
function areCategoriesKnown(show: Element): boolean {
  return childrenNamed(show, 'itunes:category').every((category) => {
    const name = attributeOf(category, 'text');
    const id = CATEGORY_IDS.get(name);
    if (id === undefined || categoryPath(id)?.parent) return false;
    return childrenNamed(category, 'itunes:category').every((sub) => {
      const subId = CATEGORY_IDS.get(attributeOf(sub, 'text'));
      return subId !== undefined && categoryPath(subId)?.parent?.name === name;
    });
  });
}

function areUnique(values: string[]): boolean {
  const given = values.filter((value) => value !== '');
  return new Set(given).size === given.length;
}
