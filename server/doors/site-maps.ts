import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { LANGUAGES, type Language } from '~/locales/languages';
import { SITE_SLUGS } from '~/locales/site-slugs';
import { AppError } from '../base/errors';
import { escapeHtml } from '../base/html';
import { API_DOCS_PATH, episodePath, productPath } from '../base/public-paths';
import { listAddresses } from '../domain/content/site-texts';
import { findCreatorPage } from '../domain/pages/find-page';
import {
  countSiteMaps,
  listSiteMap,
  SITE_MAP_KINDS,
  type SiteMapKind,
  type SiteMapPage,
} from '../domain/pages/site-map';
import type { App } from '../http/app-env';
import { NOT_FOR_ROBOTS } from '../http/app-paths';
import { type RecentRows, recentRows } from '../http/caches/recent-rows';
import { acceptsGzip } from '../http/compress-texts';
import type { Site } from '../http/host';
import { NO_PAGE_HEADERS } from '../http/security';
import { SITE_MAP_LIMITS } from '../limits/paging';
import type { Runtime } from '../runtime/runtime';

const CACHED = { 'cache-control': 'public, max-age=3600', ...NO_PAGE_HEADERS };
const XML = { ...CACHED, 'content-type': 'application/xml; charset=utf-8' };
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/**
 * `/robots.txt` and the sitemaps of each host. The app's host lists the pages of the site, and those of all creators if
 * they have no hosts of their own; a creator's host lists that creator's pages. None of them lists private pages.
 */
export function siteMapsDoor(runtime: Runtime) {
  // counting reads every page of a host, and any client may request it
  const counts: Counts = recentRows((creatorId) => countSiteMaps(runtime, creatorId || null), SITE_MAP_LIMITS.counts);
  const files = zippedFiles(runtime);
  return (app: App): void => {
    app.get('/robots.txt', (c) => {
      const { site, origin } = c.get('requestContext');
      if (site.kind !== 'app' && site.kind !== 'creator') return c.text('Not found.', 404);
      return c.text(robotsText(site, origin), 200, CACHED);
    });
    app.get('/sitemap.xml', async (c) => {
      const { site, origin } = c.get('requestContext');
      const scope = await scopeOf(runtime, site);
      if (!scope) return c.text('Not found.', 404);
      if ('movedTo' in scope) return c.redirect(runtime.urls.creator(scope.movedTo, '/sitemap.xml'), 301);
      return c.body(await indexOf(counts, scope, origin), 200, XML);
    });
    app.get('/:file{sitemap-(?:site|creators|shows|episodes)-[1-9][0-9]{0,5}\\.xml}', async (c) => {
      const [, kind, part] = /^sitemap-(\w+)-(\d+)/.exec(c.req.param('file')) ?? [];
      const scope = await scopeOf(runtime, c.get('requestContext').site);
      if (scope && !(await isListed(counts, scope, { kind: kind as Kind, part: Number(part) })))
        return c.text('Not found.', 404);
      const file = scope && (await files.find(scope, { kind: kind as Kind, part: Number(part) }));
      if (!file) return c.text('Not found.', 404);
      const headers = { ...XML, vary: 'Accept-Encoding' };
      if (!acceptsGzip(c.req.header('accept-encoding'))) return c.body(toBody(await unzip(file)), 200, headers);
      return c.body(toBody(file), 200, { ...headers, 'content-encoding': 'gzip' });
    });
  };
}

function robotsText({ kind }: Site, origin: string): string {
  const paths =
    kind === 'app' ? [...['trpc', ...NOT_FOR_ROBOTS].map((path) => `/${path}`), '/@*/preview/'] : ['/preview/'];
  const inEach = paths.flatMap((path) => [path, ...LANGUAGES.map((language) => `/${language}${path}`)]);
  return ['User-agent: *', ...inEach.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join(
    '\n',
  );
}

type Kind = SiteMapKind | 'site';
/** Number of files of each kind, by creator; 0 for all creators. */
type Counts = RecentRows<number, Record<SiteMapKind, number>>;
/** `creatorId`: null for all creators, if their pages are on the app's host; undefined for none. */
type Scope = { creatorId: number | null | undefined; hasSite: boolean };

/** Null for a host without pages. */
async function scopeOf(
  runtime: Runtime,
  site: Site | { kind: 'redirect' },
): Promise<Scope | { movedTo: string } | null> {
  const { creatorUrls } = runtime.urls.settings;
  if (site.kind === 'app') return { creatorId: creatorUrls === 'path' ? null : undefined, hasSite: true };
  if (site.kind !== 'creator') return null;
  const found = await findCreatorPage(runtime, site).catch(nullIfMissing);
  if (!found) return null;
  return found.movedTo ? { movedTo: found.movedTo.domain } : { creatorId: found.creator.id, hasSite: false };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof AppError && (error.kind === 'not_found' || error.kind === 'expired')) return null;
  throw error;
}

async function indexOf(counts: Counts, { creatorId, hasSite }: Scope, origin: string): Promise<string> {
  const files = creatorId === undefined ? null : await counts.find(creatorId ?? 0);
  const names = [
    ...(hasSite ? ['site-1'] : []),
    ...SITE_MAP_KINDS.flatMap((kind) => Array.from({ length: files?.[kind] ?? 0 }, (_, i) => `${kind}-${i + 1}`)),
  ];
  const entries = names.map((file) => `<sitemap><loc>${escapeHtml(`${origin}/sitemap-${file}.xml`)}</loc></sitemap>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('')}</sitemapindex>\n`;
}

/** Whether a file may exist: for any other number, the database would search all pages for the start of the file. */
async function isListed(
  counts: Counts,
  scope: Scope | { movedTo: string },
  { kind, part }: { kind: Kind; part: number },
): Promise<boolean> {
  if (part === 1) return true;
  if (kind === 'site' || 'movedTo' in scope || scope.creatorId === undefined) return false;
  return part <= ((await counts.find(scope.creatorId ?? 0))?.[kind] ?? 0);
}

/** The entries of one file, in parts. */
async function* partsOf(
  runtime: Runtime,
  { creatorId, hasSite }: Scope,
  { kind, part }: { kind: Kind; part: number },
): AsyncGenerator<string, void> {
  if (kind === 'site') {
    if (hasSite && part === 1) yield (await siteEntries(runtime)).join('');
  } else if (creatorId !== undefined) {
    for await (const pages of listSiteMap(runtime, { kind, creatorId, part })) {
      yield pages.flatMap((page) => entriesOf(runtime, page)).join('');
    }
  }
}

/** Each language has an address of its own, the canonical one. Texts of the site are at some of the slugs. */
async function siteEntries(runtime: Runtime): Promise<string[]> {
  const pages = LANGUAGES.flatMap((language) =>
    ['', ...sitePages(runtime).map((slugs) => `/${slugs[language]}`), '/contact', '/podcatcher', API_DOCS_PATH].map(
      (path) => `/${language}${path}`,
    ),
  );
  const paths = new Set([...pages, ...(await listAddresses(runtime))]);
  return [...paths].map((path) => urlEntry(runtime.urls.app(path), null));
}

/** Without webinars, and without the help if the operator has a help centre elsewhere. */
function sitePages({ settings: { helpUrl } }: Runtime): Record<Language, string>[] {
  const { help, webinars: _, ...others } = SITE_SLUGS;
  return [...Object.values(others), ...(helpUrl ? [] : [help])];
}

function entriesOf({ urls }: Runtime, { domain, slug, episodeSlug, changedAt }: SiteMapPage): string[] {
  const path =
    slug === undefined ? '/' : episodeSlug === undefined ? productPath(slug) : episodePath(slug, episodeSlug);
  return LANGUAGES.map((language: Language) => urlEntry(urls.creator(domain, path, language), changedAt));
}

function urlEntry(url: string, changedAt: Date | null): string {
  const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : '';
  return `<url><loc>${escapeHtml(url)}</loc>${changed}</url>\n`;
}

/**
 * The files, compressed. A large host's file takes much time of the processor and the database, and any client may
 * request it repeatedly, so requests share one for minutes.
 */
function zippedFiles(runtime: Runtime) {
  const { bytes: maxSize, ttl } = SITE_MAP_LIMITS.files;
  const files = new LRUCache<string, Buffer, () => AsyncGenerator<string, void>>({
    maxSize,
    ttl,
    sizeCalculation: (file) => file.length,
    // concurrent requests wait for the same file
    fetchMethod: (_key, _stale, { context: parts }) => zipParts(parts()),
  });
  return {
    /** Null if there is no such file. */
    async find(scope: Scope | { movedTo: string }, wanted: { kind: Kind; part: number }): Promise<Buffer | null> {
      if ('movedTo' in scope) return null;
      const key = [scope.creatorId, wanted.kind, wanted.part].join();
      return (await files.fetch(key, { context: () => partsOf(runtime, scope, wanted) })) ?? null;
    },
  };
}

async function zipParts(parts: AsyncGenerator<string, void>): Promise<Buffer | undefined> {
  const first = await parts.next();
  if (first.done) return undefined;
  const chunks: Buffer[] = [];
  await pipeline(xmlOf(first.value, parts), createGzip({ level: 4 }), async (zipped: AsyncIterable<Buffer>) => {
    for await (const chunk of zipped) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

async function* xmlOf(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${first}`;
  yield* rest;
  yield '</urlset>\n';
}

const unzip = promisify(gunzip);

const toBody = (bytes: Buffer) => new Uint8Array(bytes);
