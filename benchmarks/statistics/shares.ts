/** Shares of plays in percent, as Buzzsprout publishes them for all of its podcasts (2025), rounded. */
const APPS = {
  apple_podcasts: 36,
  spotify: 30,
  chrome: 4.5,
  safari: 2.6,
  iheartradio: 2.2,
  castbox: 2,
  overcast: 1.8,
  podcast_addict: 1.7,
  amazon_music: 1.4,
  youtube_music: 1.3,
  alexa: 1,
  pocket_casts: 1,
  firefox: 0.9,
  edge: 0.8,
  player_fm: 0.6,
  antennapod: 0.5,
  podbean: 0.4,
  deezer: 0.4,
  goodpods: 0.2,
  castro: 0.2,
};
const COUNTRIES = {
  US: 58,
  GB: 6,
  CA: 5,
  AU: 4,
  DE: 2.4,
  IN: 1.6,
  NZ: 1,
  IE: 0.9,
  NL: 0.9,
  FR: 0.9,
  MX: 0.9,
  ES: 0.8,
  BR: 0.8,
  ZA: 0.8,
  SE: 0.7,
};
const DEVICES = { phone: 74, computer: 14, speaker: 5, tablet: 3, watch: 2, tv: 1, car: 1 };
const SYSTEMS = { ios: 52, android: 24, windows: 9, macos: 6, watchos: 2, alexa: 2, linux: 1, tvos: 1 };
const SOURCES = { feed: 88, private_feed: 4, player: 4, embed: 2, former_host: 1, other: 1 };

/** Values beyond the published ones share the rest of the plays, less and less each. */
const TAILS = { country: 60, app: 40, region: 80, referrer: 20 };
const PAIRS = 600;

const listed = (name: string, shares: Record<string, number>) =>
  Object.entries(shares).map(([key, share]) => `('${name}', '${key}', ${share / 100})`);

const tail = (name: keyof typeof TAILS, { key, share }: { key: string; share: number }) => `
  select '${name}', ${key}, ${share} / n / sum(1.0 / n) over () from generate_series(1, ${TAILS[name]}) n`;

const restOf = (shares: Record<string, number>) =>
  1 - Object.values(shares).reduce((sum, share) => sum + share, 0) / 100;

/** Statements that make a table of name, key and share; pairs are those of independent countries and apps. */
export function sharesTable(table: string): string[] {
  const rows = [
    ...listed('app', APPS),
    ...listed('country', COUNTRIES),
    ...listed('device', DEVICES),
    ...listed('os', SYSTEMS),
    ...listed('source', SOURCES),
  ];
  const twoLetters = (first: string) => `'${first}' || chr(65 + n % 26) || case when n < 26 then '' else n::text end`;
  return [
    `create table ${table} (name, key, share) as
      select name, key, share::float8 from (values ${rows.join(', ')}) v(name, key, share)
      union all ${tail('country', { key: twoLetters('X'), share: restOf(COUNTRIES) })}
      union all ${tail('app', { key: "'app' || n", share: restOf(APPS) })}
      union all ${tail('region', { key: "'US-' || n", share: 1 })}
      union all ${tail('referrer', { key: "'site' || n || '.example'", share: 0.06 })}`,
    `insert into ${table}
      select 'pair', c.key || '|' || a.key, c.share * a.share from ${table} c, ${table} a
      where c.name = 'country' and a.name = 'app' order by 3 desc limit ${PAIRS}`,
  ];
}
