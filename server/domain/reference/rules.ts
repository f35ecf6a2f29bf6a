/** ISO 3166-1 alpha-2 codes; the names come from Intl.DisplayNames. */
export const COUNTRY_CODES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
  'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
  'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
  'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
  'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
  'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ');

/** ISO 639-1 codes of product languages (spec §3: a fixed list). */
export const LANGUAGE_CODES: readonly string[] = (
  'af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk ' +
  'km kn ko ky lb lo lt lv mi mk ml mn mr ms mt my nb ne nl nn no oc pa pl ps pt qu ro ru rw si sk sl so sq sr ' +
  'sv sw ta te tg th tk tr uk ur uz vi xh yo zh zu'
).split(' ');

const countries = new Set(COUNTRY_CODES);
const languages = new Set(LANGUAGE_CODES);

export const isCountry = (code: string) => countries.has(code);
export const isLanguageCode = (code: string) => languages.has(code);

/** Countries with their names in a language, in its alphabetical order. */
export function countriesIn(language: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    a.name.localeCompare(b.name, language),
  );
}

/** Product languages with their names in a language, in its alphabetical order. */
export function languagesIn(language: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'language' });
  const capital = (name: string) => name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  return LANGUAGE_CODES.map((code) => ({ code, name: capital(names.of(code) ?? code) })).sort((a, b) =>
    a.name.localeCompare(b.name, language),
  );
}
