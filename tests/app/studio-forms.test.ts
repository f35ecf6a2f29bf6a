import { expect, test } from 'vitest';
import { filled } from '~/app/components/filter-form';
import { withRuleTexts } from '~/app/features/studio/distribution/readiness-texts.server';
import { errorsAfter } from '~/app/features/studio/drafts/use-form-values';
import { episodeQuery, listInput } from '~/app/features/studio/episode/episode-query';
import { RELEASE_ERRORS } from '~/app/features/studio/episode/episode-values';
import { pricesIn, priceValues, yearlySaving } from '~/app/features/studio/product/price-values';
import { addressWith, slugInForm } from '~/app/features/studio/product/slug-in-form';
import { shownStatus } from '~/server/domain/episodes/rules';

test.each(['publish', 'releaseLocal', 'releaseMoment', 'timeZone', 'releaseDate'])(
  'the error of the release time disappears when %s changes, and the others stay',
  (name) => {
    const errors = { releaseDate: 'Publish time is in past.', name: 'Fill this in.' };

    expect(errorsAfter(name, errors, RELEASE_ERRORS)).toEqual({ name: 'Fill this in.' });
    expect(errorsAfter('slug', errors, RELEASE_ERRORS)).toEqual(errors);
  },
);

test.each([
  ['5', '50', { key: 'price.saving', percent: 16 }],
  ['5', '59.90', { key: 'price.smallSaving', percent: 0 }],
  ['5', '60', { key: 'price.noSaving', percent: 0 }],
  ['5', '61', { key: 'price.costsMore', percent: 0 }],
  ['5', '5001', null],
  ['5', '4', null],
  ['0.5', '50', null],
  ['5', '', null],
  ['', '50', null],
  ['5', 'x', null],
])('with %s a month, %s a year is described as %j', (price, annualPrice, described) => {
  const values = { kind: 'podcast', planType: 'paid', currency: 'usd', price, annualPrice };

  expect(yearlySaving(values)).toEqual(described);
});

test.each([
  [{ slug: 'Olas ', name: 'X' }, undefined, 'a/olas'],
  [{ slug: '', name: 'Él y ella' }, undefined, 'a/el-y-ella'],
  [{ slug: '', name: 'New' }, 'old', 'a/old'],
  [{ slug: 'bad slug!', name: 'X' }, undefined, 'a/…'],
  [{ slug: '-x-', name: 'X' }, 'old', 'a/…'],
  [{ slug: '', name: '🌊' }, undefined, 'a/'],
])('the form %j shows an address only for a slug that can be stored', (values, current, address) => {
  expect(addressWith('a/', slugInForm(values, current))).toBe(address);
});

test('an episode on hold that never had a release time is a draft, in its badge and in the filter', () => {
  const at = new Date();
  const status = (query: string) => listInput(episodeQuery(new URLSearchParams(query), 'podcast')).status;

  expect(shownStatus({ status: 'on_hold', releaseDate: null })).toBe('draft');
  expect(shownStatus({ status: 'on_hold', releaseDate: at })).toBe('on_hold');
  expect(['status=draft', 'status=on_hold', 'status=failed', ''].map(status)).toEqual([
    'draft',
    'unpublished',
    'failed',
    undefined,
  ]);
});

test('the URL of a filtered list has no empty parameters', () => {
  const fields = new FormData();
  for (const [name, value] of Object.entries({ search: ' ', status: '', ordering: 'name' })) fields.set(name, value);

  expect(filled(fields).toString()).toBe('ordering=name');
});

test('an unmet rule names the missing thing, in both languages, and a met one states a fact', () => {
  const finding = (rule: string) => ({ rule, count: 0, episodes: [], severity: 'error', remedy: 'ours', source: {} });
  const report = { findings: ['owner_email', 'self_link'].map(finding), passed: ['owner_email'], figures: {} } as never;
  const texts = (language: 'en' | 'es') => {
    const { findings, passed } = withRuleTexts(language, report, { publishedCount: 0 });
    return [...findings.map(({ text }) => text), ...passed].map((text) => text.split(/[.,]/)[0]);
  };

  expect(texts('en')).toEqual([
    'The feed has no owner’s email address',
    'Not met: The feed includes its own address',
    'The show has an owner email address',
  ]);
  expect(texts('es')).toEqual([
    'Al feed le falta el correo de contacto',
    'No se cumple: El feed incluye su propia dirección',
    'El programa tiene un correo de contacto',
  ]);
});

test.each([
  ['es-ES', '1234,50', '12000,00'],
  ['en-GB', '1234.50', '12000.00'],
] as const)(
  'the fields of prices have amounts as %s writes them, which are read again',
  (locale, price, annualPrice) => {
    const prices = { priceMinor: 123_450, annualPriceMinor: 1_200_000, currency: 'eur' as const };

    const values = { ...priceValues(prices, 'eur', locale), kind: 'podcast' };

    expect(values).toMatchObject({ price, annualPrice });
    expect(pricesIn(values)?.prices).toMatchObject({ priceMinor: 123_450, annualPriceMinor: 1_200_000 });
  },
);
