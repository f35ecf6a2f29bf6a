import type { Choice } from '~/app/components/fields';
import { regionsOf } from '~/server/base/formats';
import type { Door } from './doors.server';

/**
 * The country in which a visitor probably lives, by the address of the client or the region of the browser's languages;
 * null if neither is known. A form suggests it.
 */
export async function guessCountry(
  { api, request }: Pick<Door, 'api' | 'request'>,
  countries: readonly Choice[],
): Promise<string | null> {
  const { country } = await api.reference.clientCountry();
  return country ?? countryOfLanguages(request.headers.get('accept-language') ?? '', countries);
}

/** `es-MX,es;q=0.9,en-GB;q=0.8` → MX: the first region that is a country of the list. */
export function countryOfLanguages(header: string, countries: readonly Choice[]): string | null {
  const listed = new Set(countries.map(({ value }) => value));
  return regionsOf(header).find((region) => listed.has(region)) ?? null;
}
