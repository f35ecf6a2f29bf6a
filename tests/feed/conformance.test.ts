import fc from 'fast-check';
import { expect, test } from 'vitest';
import en from '~/locales/en/feeds.json';
import es from '~/locales/es/feeds.json';
import { LANGUAGES, type Language } from '~/locales/languages';
import { translate } from '~/locales/translate';
import { checkConformance, RULE_FIGURES, RULES } from '~/server/feed/conformance/check';
import { SOURCES } from '~/server/feed/conformance/rule';
import { deepSeed, isDeep } from '../support/deep';
import { feedModel } from '../support/feed-models';
import { feedText, fullFeed, sampleEpisode, sampleFeed } from '../support/feed-samples';
import { BREACHES, KEPT } from './conformance-cases';

const READY = feedText(sampleFeed({ ownerEmail: 'ana@example.com' }));
/** Contains every tag that a rule checks. */
const FULL = feedText(fullFeed());
const broken = (document: string) => checkConformance(document).map(({ rule }) => rule);

test('our feeds break no rule, with the minimum of tags and with every tag', () => {
  expect(checkConformance(READY)).toEqual([]);
  expect(checkConformance(FULL)).toEqual([]);
});

test('no text in a feed makes its form break a rule', () => {
  const form =
    /^(?:well_|names|channel|title|values|description_(?:pres|bytes)|self|dates_|encoding|explicit|episode_(?:title|values|desc|expl|type|num|named)|enclosure_(?:once|url|len)|guid_p|date_|notes|duration_v|season|trailer|soundbite_times|person_named|text_|spotify)/;

  for (const model of fc.sample(feedModel, { numRuns: isDeep ? 1000 : 60, seed: deepSeed() }))
    expect(broken(feedText(model)).filter((rule) => form.test(rule))).toEqual([]);
});

test('valid XML that looks faulty breaks no rule', () => {
  const sound =
    '<!-- ]]> &nbsp; --><x a="]]>" b="a &#x1F600; > b"><![CDATA[&nbsp; </X>]]> ]] > &amp;</x><x a="1"/></channel>';

  expect(broken(READY.replace('</channel>', sound))).not.toContain('well_formed');
});

test.each(BREACHES)('%s is broken if %s changes', (rule, from, to) => {
  const changed = FULL.replace(from, to);

  expect(changed).not.toBe(FULL);
  expect(broken(changed)).toContain(rule);
});

test.each(KEPT)('%s still holds if %s becomes %s', (rule, from, to) => {
  const changed = FULL.replace(from, to);

  expect(changed).not.toBe(FULL);
  expect(broken(changed)).not.toContain(rule);
});

test('every rule has a breach above, a source and a text in both languages', () => {
  const names = Object.keys(RULES);

  const tried = new Set(BREACHES.map(([rule]) => rule));
  expect(names.filter((name) => !tried.has(name))).toEqual([]);
  expect(Object.keys(en).sort()).toEqual([...names].sort());
  expect(Object.keys(es).sort()).toEqual([...names].sort());
  for (const [name, { source, place }] of Object.entries(RULES)) {
    expect(SOURCES[source].url, name).toMatch(/^https:/);
    expect(place, name).toMatch(/^\S.*\S$/);
  }
});

test.each(LANGUAGES)('the texts of rules are complete in %s', (language: Language) => {
  for (const [name, text] of Object.entries({ en, es }[language])) {
    const sentence = translate(language, { [name]: text }, name, RULE_FIGURES);

    expect(sentence, name).toMatch(/^[^{}]+\.$/);
  }
});

test('the feed that breaks no rule has every tag that a rule checks', () => {
  const tags =
    'guid locked funding person transcript chapters season episode trailer medium license txt podroll updateFrequency image location soundbite block remoteItem';

  for (const tag of tags.split(' ')) expect(FULL, tag).toMatch(new RegExp(`<podcast:${tag}[ >]`));
  for (const tag of ['itunes:block', 'itunes:complete', 'itunes:new-feed-url', 'content:encoded', 'spotify:access'])
    expect(FULL, tag).toContain(`<${tag}>`);
  expect(FULL).toMatch(/<atom:link [^>]*rel="next"/);
});

test('a breach lists its items, and none if the show breaks the rule', () => {
  const episodes = ['a', 'b', 'c'].map((guid, at) =>
    sampleEpisode({
      guid,
      audio: { url: `https://a.example/${guid}.mp3`, bytes: 1 + at },
      persons: [{ name: 'Ana', image: guid === 'c' ? 'none' : undefined }],
    }),
  );
  const persons = [{ name: 'Ana', link: 'none' }];
  const document = feedText(sampleFeed({ ownerEmail: 'ana@example.com', persons, episodes }));

  const breaches = checkConformance(document.replace('length="2"', 'length="0"'));

  const person = { rule: 'person_named', source: 'podcasting', severity: 'error' };
  expect(breaches).toEqual([
    { ...person, items: [] },
    { rule: 'enclosure_length', source: 'apple', severity: 'error', items: [2] },
    { ...person, items: [3] },
  ]);
});

test('a document that is not a feed breaks channel_present', () => {
  expect(broken('<html><body>Not found</body></html>')).toContain('channel_present');
});
