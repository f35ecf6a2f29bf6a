import type { Ctx } from '../../ctx';
import { CATEGORIES, type Category } from './kinds';
import { countriesIn, languagesIn } from './rules';

export type CountryOption = { id: string; name: string; nameEs: string };

let bothNames: CountryOption[] | undefined;

/** Every country with its name in both languages, sorted by the English one. */
export function countries(): CountryOption[] {
  if (!bothNames) {
    const spanish = new Map(countriesIn('es').map(({ code, name }) => [code, name]));
    bothNames = countriesIn('en').map(({ code, name }) => ({ id: code, name, nameEs: spanish.get(code) ?? name }));
  }
  return bothNames;
}

/** Countries in the reader's language. */
export const countryOptions = (ctx: Ctx) =>
  countriesIn(ctx.language).map(({ code, name }) => ({ value: code, label: name }));

/** Languages that a product may be in, in the reader's language. */
export const languageOptions = (ctx: Ctx) =>
  languagesIn(ctx.language).map(({ code, name }) => ({ value: code, label: name }));

/** Apple's category tree. */
export const categories = (): readonly Category[] => CATEGORIES;
