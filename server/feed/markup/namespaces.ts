/**
 * Prefixes that an element declares, to their canonical prefix or to null where the namespace is none of ours. What is in
 * force beyond those is in `outer`: chained, since copying it would cost its whole size at every element.
 */
export type Scope = { own: ReadonlyMap<string, string | null>; outer: Scope | null };
export type Wording = 'namespace_undeclared' | 'namespace_misspelt' | 'name_in_capitals' | 'too_many_attributes';

export const NO_SCOPE: Scope = { own: new Map(), outer: null };
const MOST_PREFIXES = 64;

/** Usual prefix of each namespace, and pieces of the addresses that stand for it in the wild, in lower case. */
const NAMESPACES: [prefix: string, exact: string, alike: RegExp][] = [
  ['itunes', 'http://www.itunes.com/dtds/podcast-1.0.dtd', /itunes\.(?:apple\.)?com/],
  ['podcast', 'https://podcastindex.org/namespace/1.0', /podcastindex|podcast-namespace/],
  ['atom', 'http://www.w3.org/2005/Atom', /w3\.org\/2005\/atom|purl\.org\/atom\/ns/],
  ['content', 'http://purl.org/rss/1.0/modules/content/', /modules\/content/],
  ['psc', 'http://podlove.org/simple-chapters', /podlove\.(?:org|de)\/simple-chapters/],
  ['media', 'http://search.yahoo.com/mrss/', /yahoo\.com\/mrss|rssboard\.org\/media-rss/],
  ['dc', 'http://purl.org/dc/elements/1.1/', /purl\.org\/dc\/elements/],
  ['feedburner', 'http://rssnamespace.org/feedburner/ext/1.0', /rssnamespace\.org\/feedburner/],
  ['googleplay', 'http://www.google.com/schemas/play-podcasts/1.0', /schemas\/play-podcasts/],
  ['spotify', 'http://www.spotify.com/ns/rss', /spotify\.com\/ns\/rss/],
];
/** Default namespaces under which RSS elements stand without a prefix. */
const RSS = /^(?:|http:\/\/purl\.org\/rss\/1\.0\/|http:\/\/(?:backend\.userland|blogs\.law\.harvard|my\.netscape).*)$/;
const KNOWN = new Set(NAMESPACES.map(([prefix]) => prefix));

/** The scope below an element with these attributes. */
export function scopeOf(outer: Scope, attributes: Map<string, string>, note: (wording: Wording) => void): Scope {
  const own = new Map<string, string | null>();
  for (const [key, value] of attributes) {
    if (!key.startsWith('xmlns')) continue;
    if (own.size >= MOST_PREFIXES) {
      note('too_many_attributes');
      break;
    }
    const prefix = key === 'xmlns' ? '' : key.slice(6).toLowerCase();
    const meaning = meant(value.trim(), prefix);
    if (meaning?.startsWith(MISSPELT)) note('namespace_misspelt');
    own.set(prefix, meaning?.replace(MISSPELT, '') ?? null);
  }
  return own.size > 0 ? { own, outer } : outer;
}

function meaningOf(prefix: string, scope: Scope): string | null | undefined {
  for (let at: Scope | null = scope; at; at = at.outer) {
    const meaning = at.own.get(prefix);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

const MISSPELT = '!';

/** The canonical prefix of a namespace; with a mark before it where its address is not the one that stands for it. */
function meant(uri: string, prefix: string): string | null {
  if (prefix === '' && RSS.test(uri.toLowerCase())) return '';
  const exact = NAMESPACES.find(([, address]) => address === uri);
  if (exact) return exact[0];
  const alike = NAMESPACES.find(([, , pattern]) => pattern.test(uri.toLowerCase()));
  if (alike) return MISSPELT + alike[0];
  if (KNOWN.has(prefix)) return MISSPELT + prefix;
  // a default namespace that nobody knows: the elements count by their names
  return prefix === '' ? MISSPELT : null;
}

const CAPITAL = /[A-Z]/;
/** Of RSS, Apple and Podcasting 2.0, which are written with capitals; others are lower case. */
const CAMEL =
  /^(?:RDF|pubDate|lastBuildDate|managingEditor|webMaster|textInput|skipHours|skipDays|newLocation|[a-z]+([A-Z][a-z]+)*)$/;

/** `itunes:image` whatever the document calls that prefix; `?x:name` where the prefix is of another namespace. */
export function canonicalName(raw: string, scope: Scope, note: (wording: Wording) => void): string {
  const colon = raw.indexOf(':');
  const prefix = colon < 1 ? '' : raw.slice(0, colon).toLowerCase();
  const local = raw.slice(colon + 1);
  if (CAPITAL.test(local) && !CAMEL.test(local)) note('name_in_capitals');
  const name = local.toLowerCase();
  const meaning = meaningOf(prefix, scope);
  if (meaning === undefined) {
    if (prefix === '') return name;
    note('namespace_undeclared');
    return `${KNOWN.has(prefix) ? prefix : `?${prefix}`}:${name}`;
  }
  if (meaning === null) return `?${prefix}:${name}`;
  return meaning ? `${meaning}:${name}` : name;
}
