import type { Locale } from './formats';

/** Currency signs and codes beside a number, and the spaces that group its digits. */
const SIGNS = /^(?:[€$]|US\$|EUR|USD)\s*|\s*(?:[€$]|US\$|EUR|USD)$/gi;
const SPACES = /(?<=\d)[\s\u00a0\u2009\u202f](?=\d{3}(?!\d))/gu;
/** Longer texts are no number of anything here, and matching signs in them takes long. */
const LONGEST = 40;
/** 1.234.567,50 and 1,234,567.50: one mark groups the digits, the other one comes before the decimals. */
const GROUPED = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;

/**
 * A number as people type it, as digits with a decimal point: `1.234,50`, `1,234.50`, `1 234,5`, `€5` and `5 €`. The
 * locale decides only where one mark can mean both: `1,234` is a thousand in English, and one and a bit in Spanish.
 * Null if the text is not a number.
 */
export function readTypedNumber(text: string, locale: Locale): string | null {
  if (text.length > LONGEST) return null;
  const bare = text.trim().replace(SIGNS, '').replace(SPACES, '').trim();
  if (/^\d+(?:[.,]\d+)?$/.test(bare) && !groupsDigits(bare, locale)) return bare.replace(',', '.');
  const groupMark = GROUPED.exec(bare)?.[1];
  if (!groupMark) return null;
  return bare.replaceAll(groupMark, '').replace(',', '.');
}

/** Whether the only mark of `1,234` groups its digits in the locale. */
const groupsDigits = (bare: string, locale: Locale): boolean =>
  /^[1-9]\d{0,2}[.,]\d{3}$/.test(bare) && bare.includes(locale === 'es-ES' ? '.' : ',');
