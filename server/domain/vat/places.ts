import type { LocationEvidence } from '~/db/schema/billing';

/**
 * Postal codes of regions that belong to a country of the Union, but not to its VAT area (Art. 5 and 6 of Directive
 * 2006/112/EC; codes: the postal operators of the countries). Sales there have no VAT of the country. Regions with taxes
 * of their own, which the operator owes outside the One Stop Shop: the Canary Islands (IGIC, Ley 20/1991), Ceuta and
 * Melilla (IPSI, Ley 8/1991), and Guadeloupe, Martinique and Réunion (8.5 %, Art. 296 of the Code général des impôts).
 * Northern Ireland belongs to the Union's VAT area for goods only, so services there count as in `GB`.
 */
const OUTSIDE: Record<string, RegExp> = {
  // Büsingen: Art. 6(2)(b); Helgoland: Art. 6(2)(a)
  DE: /^(?:78266|27498)$/,
  // Canary Islands: Art. 6(1)(b); Ceuta, Melilla: Art. 6(2)(c) and (d)
  ES: /^(?:35|38|51|52)\d{3}$/,
  // Åland: Art. 6(1)(d)
  FI: /^22\d{3}$/,
  // Art. 6(1)(c): territories of Art. 349 and 355(1) TFEU; others: Art. 355(2) TFEU; 980 is Monaco
  FR: /^9(?:7[1-8]|8[4678])\d{2}$/,
  // Mount Athos: Art. 6(1)(a)
  GR: /^6308[67]$/,
  // Livigno: Art. 6(2)(e); Campione d'Italia: Art. 6(1)(f)
  IT: /^(?:23041|22061)$/,
};

/** Places with a code of their own whose transactions count as those of a country: Art. 7 of Directive 2006/112/EC. */
const TREATED_AS: Record<string, string> = { MC: 'FR', IM: 'GB' };
export const vatCountryOf = (country: string): string => TREATED_AS[country] ?? country;

/**
 * Whether the buyer is in a region of the country without its VAT. If postal codes contradict each other, the country's
 * VAT is charged.
 */
export function isOutsideVatArea(country: string, evidence: readonly LocationEvidence[]): boolean {
  const outside = Object.hasOwn(OUTSIDE, country) ? OUTSIDE[country] : undefined;
  const codes = evidence.flatMap((piece) => (piece.country === country && piece.postalCode ? [piece.postalCode] : []));
  return outside !== undefined && codes.length > 0 && codes.every((code) => outside.test(plain(code, country)));
}

/** Without spaces, hyphens and the country in front: `AX-22 100` → '22100'. */
const plain = (code: string, country: string): string =>
  code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(new RegExp(`^(?:${country}|${PREFIXES[country] ?? country})`), '');
/** Prefixes that differ from the code of the country. */
const PREFIXES: Record<string, string> = { DE: 'D', ES: 'E', FI: 'AX', FR: 'F', IT: 'I' };
