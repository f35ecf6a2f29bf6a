import { CATEGORIES, categoryPath } from '../../domain/reference/kinds';
import { FEED_LIMITS } from '../../limits/feeds';
import { all, child, said, text } from '../markup/elements';
import type { Element } from '../markup/tree';
import { must, type Rules, should } from './rule';
import { isAddress, isAtMost, isDate, isEmail, isTidy, within } from './values';

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/;

/** What a show must and should say in RSS, in Apple's tags and in Atom's. */
export const SHOW_RULES = {
  title_present: must('rss: Required channel elements, title', (show) => text(show, 'title') !== ''),
  title_once: must('rss: Required channel elements, title', (show) => all(show, 'title').length === 1),
  title_length: must('psp: Namespace Declarations, node values', (show) =>
    isAtMost(text(show, 'title'), FEED_LIMITS.length.value),
  ),
  values_tidy: must('psp: Namespace Declarations, node values', isTidy),
  description_present: must('rss: Required channel elements, description', (show) => text(show, 'description') !== ''),
  description_bytes: must('psp: Required channel, description', (show) =>
    within(show, 'description', FEED_LIMITS.showBytes),
  ),
  link_present: must('rss: Required channel elements, link', (show) => isAddress(text(show, 'link'))),
  language_present: must('apple: language', (show) => LANGUAGE.test(text(show, 'language'))),
  dates_written: must('rss: Optional channel elements, pubDate and lastBuildDate', (show) =>
    ['pubdate', 'lastbuilddate'].every((name) => !child(show, name) || isDate(text(show, name))),
  ),
  encoding_utf8: must('apple: UTF-8', (_, { source }) => /^<\?xml version="1\.0" encoding="utf-8"/i.test(source)),
  self_link: must('psp: Required channel, atom:link rel="self"', (show) => {
    const links = linksTo(show, 'self');
    return links.length > 0 && links.every((link) => isAddress(said(link, 'href')));
  }),
  next_link: must('paging: 3. Paged feeds, next', (show) => {
    const links = linksTo(show, 'next');
    return links.length <= 1 && links.every((link) => isAddress(said(link, 'href')));
  }),
  image_present: must('apple: itunes:image', (show) => isAddress(said(child(show, 'itunes:image'), 'href'))),
  image_type: should('psp: Required channel, itunes:image', (show) =>
    /\.(?:jpe?g|png)(?:\?|$)/i.test(said(child(show, 'itunes:image'), 'href')),
  ),
  explicit_present: must('psp: Required channel, itunes:explicit', (show) =>
    /^(?:true|false)$/.test(text(show, 'itunes:explicit')),
  ),
  category_present: must('apple: itunes:category', (show) => all(show, 'itunes:category').length > 0),
  category_known: must('apple: itunes:category, list of categories', categoriesKnown),
  author_present: should('psp: Recommended channel, itunes:author', (show) => text(show, 'itunes:author') !== ''),
  owner_email: should('apple: itunes:owner', (show) => isEmail(text(child(show, 'itunes:owner'), 'itunes:email'))),
  type_known: must('psp: Situational channel, itunes:type', (show) =>
    /^(?:episodic|serial)?$/.test(text(show, 'itunes:type')),
  ),
  complete_said: should('psp: Situational channel, itunes:complete', (show) =>
    all(show, 'itunes:complete').every((one) => /^yes$/i.test(one.text)),
  ),
  block_said: should('apple: itunes:block', (show) => all(show, 'itunes:block').every(({ text }) => text === 'Yes')),
  new_address: must(
    'apple: itunes:new-feed-url',
    (show) => !child(show, 'itunes:new-feed-url') || isAddress(text(show, 'itunes:new-feed-url')),
  ),
  episodes_present: should('apple: at least one episode', (_, { items }) => items.length > 0),
  guids_distinct: must('apple: guid', (_, { items }) => isDistinct(items.map((item) => text(item, 'guid')))),
  files_distinct: must('apple: enclosure', (_, { items }) =>
    isDistinct(items.map((item) => said(child(item, 'enclosure'), 'url'))),
  ),
} satisfies Rules;

function linksTo(show: Element, rel: string): Element[] {
  return all(show, 'atom:link').filter((link) => said(link, 'rel') === rel);
}

const NAMES = new Map(CATEGORIES.map(({ id, name }) => [name, id]));

/** Capitals count, and a sub-category stands below its own category. */
function categoriesKnown(show: Element): boolean {
  return all(show, 'itunes:category').every((category) => {
    const name = said(category, 'text');
    const id = NAMES.get(name);
    if (id === undefined || categoryPath(id)?.parent) return false;
    return all(category, 'itunes:category').every((sub) => {
      const below = NAMES.get(said(sub, 'text'));
      return below !== undefined && categoryPath(below)?.parent?.name === name;
    });
  });
}

function isDistinct(values: string[]): boolean {
  const given = values.filter((value) => value !== '');
  return new Set(given).size === given.length;
}
