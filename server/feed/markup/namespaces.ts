/**
 * The prefixes that an element declares, each with its canonical prefix, or null for a namespace that we do not know.
 * `outer` has the declarations of the ancestors: a chain, because copying them would cost their whole size per element.
 */
export type Scope = {
  own: ReadonlyMap<string, string | null>;
  outer: Scope | null;
  /** The names found so far, by the written ones. */
  known: Map<string, KnownName>;
};
type KnownName = { name: string; faults: readonly NameFault[] };
export type NameFault = 'namespace_undeclared' | 'namespace_misspelt' | 'name_in_capitals' | 'too_many_attributes';

const MAX_PREFIXES = 64;
/** A document with more different names than this is not worth the memory. */
const MAX_KNOWN = 1000;
const NO_FAULTS: readonly NameFault[] = [];

/** The usual prefix of each namespace, its URI, and patterns of URIs that feeds use for it, in lower case. */
const NAMESPACES: [prefix: string, uri: string, variants: RegExp][] = [
  ['itunes', 'http://www.itunes.com/dtds/podcast-1.0.dtd', /itunes\.(?:apple\.)?com/],
  ['podcast', 'https://podcastindex.org/namespace/1.0', /podcastindex|podcast-namespace/],
  ['atom', 'http://www.w3.org/2005/Atom', /w3\.org\/2005\/atom|purl\.org\/atom\/ns/],
  ['content', 'http://purl.org/rss/1.0/modules/content/', /modules\/content/],
  ['psc', 'http://podlove.org/simple-chapters', /podlove\.(?:org|de)\/simple-chapters/],
  ['media', 'http://search.yahoo.com/mrss/', /yahoo\.com\/mrss|rssboard\.org\/media-rss/],
  ['dc', 'http://purl.org/dc/elements/1.1/', /purl\.org\/dc\/elements/],
  ['feedburner', 'http://rssnamespace.org/feedburner/ext/1.0', /rssnamespace\.org\/feedburner/],
  ['googleplay', 'http://www.google.com/schemas/play-podcasts/1.0', /schemas\/play-podcasts/],
  ['enc', 'http://purl.oclc.org/net/rss_2.0/enc#', /rss_2\.0\/enc/],
  ['spotify', 'http://www.spotify.com/ns/rss', /spotify\.com\/ns\/rss/],
];
/** Default namespaces in which elements are those of RSS. */
const RSS = /^(?:|http:\/\/purl\.org\/rss\/1\.0\/|http:\/\/(?:backend\.userland|blogs\.law\.harvard|my\.netscape).*)$/;
const KNOWN_PREFIXES = new Set(NAMESPACES.map(([prefix]) => prefix));

type Report = (fault: NameFault) => void;

/** The scope of a document, outside of all elements. */
export const emptyScope = (): Scope => ({ own: new Map(), outer: null, known: new Map() });

/** The scope inside an element with these attributes. */
export function scopeOf(outer: Scope, attributes: ReadonlyMap<string, string>, report: Report): Scope {
  if (attributes.size === 0) return outer;
  let own: Map<string, string | null> | undefined;
  for (const [key, value] of attributes) {
    if (!key.startsWith('xmlns')) continue;
    own ??= new Map();
    if (own.size >= MAX_PREFIXES) {
      report('too_many_attributes');
      break;
    }
    const prefix = key === 'xmlns' ? '' : key.slice(6).toLowerCase();
    const { canonical, isExact } = resolveNamespace(value.trim(), prefix);
    if (!isExact) report('namespace_misspelt');
    own.set(prefix, canonical);
  }
  return own ? { own, outer, known: new Map() } : outer;
}

function lookUpPrefix(prefix: string, scope: Scope): string | null | undefined {
  for (let at: Scope | null = scope; at; at = at.outer) {
    const canonical = at.own.get(prefix);
    if (canonical !== undefined) return canonical;
  }
  return undefined;
}

type Resolved = { canonical: string | null; isExact: boolean };

/** The canonical prefix of a namespace, and whether its URI is spelled right. */
function resolveNamespace(uri: string, prefix: string): Resolved {
  if (prefix === '' && RSS.test(uri.toLowerCase())) return { canonical: '', isExact: true };
  const exact = NAMESPACES.find(([, address]) => address === uri);
  if (exact) return { canonical: exact[0], isExact: true };
  const variant = NAMESPACES.find(([, , variants]) => variants.test(uri.toLowerCase()));
  if (variant) return { canonical: variant[0], isExact: false };
  if (KNOWN_PREFIXES.has(prefix)) return { canonical: prefix, isExact: false };
  // elements in an unknown default namespace are read by their names
  return prefix === '' ? { canonical: '', isExact: false } : { canonical: null, isExact: true };
}

const CAPITAL = /[A-Z]/;
/** Names with capitals in RSS, Apple's tags and Podcasting 2.0; all others are lower case. */
const CAMEL =
  /^(?:RDF|pubDate|lastBuildDate|managingEditor|webMaster|textInput|skipHours|skipDays|newLocation|[a-z]+([A-Z][a-z]+)*)$/;

/** `itunes:image` for any prefix of that namespace; `?x:name` for an unknown namespace. */
export function canonicalName(rawName: string, scope: Scope, report: Report): string {
  const known = scope.known.get(rawName) ?? resolveName(rawName, scope);
  if (known.faults !== NO_FAULTS) for (const fault of known.faults) report(fault);
  return known.name;
}

function resolveName(rawName: string, scope: Scope): KnownName {
  const faults: NameFault[] = [];
  const name = nameIn(rawName, scope, (fault) => void faults.push(fault));
  const known = { name, faults: faults.length > 0 ? faults : NO_FAULTS };
  if (scope.known.size < MAX_KNOWN) scope.known.set(rawName, known);
  return known;
}

function nameIn(rawName: string, scope: Scope, report: Report): string {
  const colon = rawName.indexOf(':');
  const prefix = colon < 1 ? '' : rawName.slice(0, colon).toLowerCase();
  const local = rawName.slice(colon + 1);
  if (CAPITAL.test(local) && !CAMEL.test(local)) report('name_in_capitals');
  const name = local.toLowerCase();
  const canonical = lookUpPrefix(prefix, scope);
  if (canonical === undefined) {
    if (prefix === '') return name;
    report('namespace_undeclared');
    return `${KNOWN_PREFIXES.has(prefix) ? prefix : `?${prefix}`}:${name}`;
  }
  if (canonical === null) return `?${prefix}:${name}`;
  return canonical ? `${canonical}:${name}` : name;
}
