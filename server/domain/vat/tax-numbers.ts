import { euVat, stdnum } from 'stdnum';
import type { EuVatNumber } from './rules';

/** Numbers of banks, passports and the like, which the package lists among the official numbers of some countries. */
const NOT_FOR_TAXES = new Set(['aic', 'bank', 'cbu', 'clabe', 'epic', 'kontonr', 'nss', 'passport', 'pwnr', 'vid']);
/** Used for countries without a known rule. */
const ANY_NUMBER = /^(?=.*\d)[A-Z\d][A-Z\d ./-]{2,28}[A-Z\d]$/;

/**
 * A VAT or tax number of a country as its registers write it; null if it is not valid. Loaded at its first use, because
 * the package takes 0.2 s.
 */
export function parseTaxNumber(country: string, text: string): string | null {
  const known = Object.entries(stdnum[country] ?? {}).filter(([name]) => !NOT_FOR_TAXES.has(name));
  const number = text.toUpperCase();
  if (known.length === 0) return ANY_NUMBER.test(number) ? number : null;
  for (const [, validator] of known) {
    const result = validator.validate(number);
    if (result.isValid) return result.compact;
  }
  return null;
}

/** Whether a number has the form and the check digits of a VAT number of its country, which many tax numbers do not. */
export const hasVatForm = ({ country, number }: EuVatNumber): boolean =>
  (euVat[country === 'EL' ? 'GR' : country] ?? []).some((validator) => validator.validate(number).isValid);
