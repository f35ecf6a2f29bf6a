import { type Currency, currencyOf } from '../../base/money';
import { CATEGORIES, type Category } from '../../feed/apple-categories';
import type { Ctx } from '../../runtime/ctx';
import { countriesIn, languagesIn } from './rules';

export type CountryOption = { id: string; name: string; nameEs: string };

let cachedCountries: CountryOption[] | undefined;

/** Every country with its name in both languages, sorted by English name. */
export function countries(): CountryOption[] {
  if (!cachedCountries) {
    const spanish = new Map(countriesIn('es').map(({ code, name }) => [code, name]));
    cachedCountries = countriesIn('en').map(({ code, name }) => ({
      id: code,
      name,
      nameEs: spanish.get(code) ?? name,
    }));
  }
  return cachedCountries;
}

/** Form options for countries, in the reader's language. */
export const countryOptions = (ctx: Ctx) =>
  countriesIn(ctx.language).map(({ code, name }) => ({ value: code, label: name }));

/** Form options for product languages, in the reader's language. */
export const languageOptions = (ctx: Ctx) =>
  languagesIn(ctx.language).map(({ code, name }) => ({ value: code, label: name }));

/** Apple's category tree. */
export const categories = (): readonly Category[] => CATEGORIES;

/**
 * The country of the client's IP address, null if unknown, and the currency for prices in that country (spec §7,
 * user-country).
 */
export async function clientCountry(ctx: Ctx): Promise<{ country: string | null; currency: Currency }> {
  const country = await ctx.ports.geo.countryOf(ctx.client.address);
  return { country, currency: currencyOf(country ?? '') };
}
