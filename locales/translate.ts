import { LANGUAGES, type Language } from './languages';

/** Keys are flat (`page.title`). Plural forms end in `_one`, `_many` or `_other`, as in i18next. */
export type Texts = Record<string, string>;
export type Values = Record<string, string | number>;
export type Translate = (key: string, values?: Values) => string;

const plurals = new Map(LANGUAGES.map((language) => [language, new Intl.PluralRules(language)]));
const numbers = new Map(LANGUAGES.map((language) => [language, new Intl.NumberFormat(language)]));

/**
 * The one reader of our texts, on the server and in the browser. It supports what the locale files use of i18next's
 * format: `{{name}}`, `{{count, number}}`, plurals and `context` (`key_context`). A test compares it with i18next for
 * every text.
 */
export function translate(language: Language, texts: Texts, key: string, values: Values = {}): string {
  const plural =
    typeof values.count === 'number' ? texts[`${key}_${plurals.get(language)?.select(values.count)}`] : undefined;
  const contextual = values.context === undefined ? undefined : texts[`${key}_${values.context}`];
  const text = plural ?? contextual ?? texts[key] ?? key;
  if (!text.includes('{{')) return text;
  return text.replace(/\{\{(\w+)(, number)?\}\}/g, (placeholder, name: string, asNumber?: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return asNumber ? (numbers.get(language)?.format(Number(value)) ?? String(value)) : String(value);
  });
}
