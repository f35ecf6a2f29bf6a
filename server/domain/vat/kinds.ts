/** A standard rate in basis points, valid from a day on (UTC; the first moment of the day). */
type Rate = { from: string; basisPoints: number };

const since2020 = (percent: number): Rate[] => [{ from: '2020-01-01', basisPoints: percent * 100 }];

/**
 * The standard rates of VAT in the countries of the European Union (ISO 3166-1 alpha-2), which apply to electronic
 * services. Later rates come last, and a future rate may be entered before its day. Source: the Commission's database
 * "Taxes in Europe" (TEDB); for changes since 2023, the law named beside them. `places.ts` has the
 * regions without VAT; the lower rates of Madeira, the Azores and some Greek islands are not distinguished.
 */
const RATES: Record<string, Rate[]> = {
  AT: since2020(20),
  BE: since2020(21),
  BG: since2020(20),
  CY: since2020(19),
  CZ: since2020(21),
  DE: since2020(19),
  DK: since2020(25),
  // Käibemaksuseadus § 15: 22 % from 2024, 24 % from July 2025
  EE: [...since2020(20), { from: '2024-01-01', basisPoints: 2200 }, { from: '2025-07-01', basisPoints: 2400 }],
  ES: since2020(21),
  // Laki 435/2024
  FI: [...since2020(24), { from: '2024-09-01', basisPoints: 2550 }],
  FR: since2020(20),
  GR: since2020(24),
  HR: since2020(25),
  HU: since2020(27),
  IE: since2020(23),
  IT: since2020(22),
  LT: since2020(21),
  // 16 % in 2023 only (Loi du 26 octobre 2022)
  LU: [...since2020(17), { from: '2023-01-01', basisPoints: 1600 }, { from: '2024-01-01', basisPoints: 1700 }],
  LV: since2020(21),
  MT: since2020(18),
  NL: since2020(21),
  PL: since2020(23),
  PT: since2020(23),
  // Legea 141/2025
  RO: [...since2020(19), { from: '2025-08-01', basisPoints: 2100 }],
  SE: since2020(25),
  SI: since2020(22),
  // Zákon 278/2024
  SK: [...since2020(20), { from: '2025-01-01', basisPoints: 2300 }],
};

/** Countries of the European Union (ISO 3166-1 alpha-2). */
export const EU_COUNTRIES: readonly string[] = Object.keys(RATES);

export const isInEu = (country: string): boolean => Object.hasOwn(RATES, country);

/** The rate of a country at a moment, in basis points; null outside the European Union. */
export function rateAt(country: string, at: Date): number | null {
  const known = (isInEu(country) ? RATES[country] : undefined)?.filter(
    ({ from }) => new Date(`${from}T00:00:00Z`) <= at,
  );
  return known?.at(-1)?.basisPoints ?? null;
}
