import { expect, test } from 'vitest';
import names from '~/server/base/region-names.json';
import { regionName } from '~/server/base/regions';

test('a region has its own name and that of its country in the reader’s language', () => {
  expect(regionName('ES-MD', 'en')).toBe('Madrid, Spain');
  expect(regionName('AR-F', 'es')).toBe('La Rioja, Argentina');
  expect(regionName('GB-SCT', 'es')).toBe('Scotland, Reino Unido');
});

test('a region without a name in our table keeps its code', () => {
  expect(regionName('JP-13', 'en')).toBe('Japan (JP-13)');
  expect(regionName('ES-XX', 'en')).toBe('Spain (ES-XX)');
});

test('no two regions of a country share a name', () => {
  const known = Object.entries(names).map(([code, name]) => `${code.slice(0, 2)} ${name}`);

  expect(new Set(known).size).toBe(known.length);
});
