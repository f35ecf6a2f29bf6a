import { isLanguage, LANGUAGES, type Language } from '~/locales/languages';

/** `/es/login` → 'es'; `/login` → null. */
export function languageOfPath(pathname: string): Language | null {
  const first = pathname.split('/')[1];
  return isLanguage(first) ? first : null;
}

/** Keys are flat (`page.title`); plural forms end in `_one`, `_many`, `_other`, as i18next names them. */
export type Texts = Record<string, string>;
export type Values = Record<string, string | number>;
export type Translate = (key: string, values?: Values) => string;

const plurals = Object.fromEntries(LANGUAGES.map((l) => [l, new Intl.PluralRules(l)])) as Record<
  Language,
  Intl.PluralRules
>;
const numbers = Object.fromEntries(LANGUAGES.map((l) => [l, new Intl.NumberFormat(l)])) as Record<
  Language,
  Intl.NumberFormat
>;

/**
 * Reads a text as i18next does on the server, within what our locale files use: `{{name}}`, `{{count, number}}` and plurals.
 * The browser gets these lines in place of i18next's 14 KB; a test holds both readers against every text.
 */
export function translate(language: Language, texts: Texts, key: string, values: Values = {}): string {
  const plural =
    typeof values.count === 'number' ? texts[`${key}_${plurals[language].select(values.count)}`] : undefined;
  const text = plural ?? texts[key] ?? key;
  return text.replace(/\{\{(\w+)(, number)?\}\}/g, (hole, name: string, asNumber?: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return asNumber ? numbers[language].format(Number(value)) : String(value);
  });
}
