import { escapeHtml } from '../../base/html';
import { describeProblem } from '../../base/problems';
import { OEMBED_PATH } from '../../base/public-paths';
import { describeEmbed, type EmbedAddress, frameSize, type Oembed, THUMBNAIL } from '../../domain/pages/oembed';
import { parentElement, textElement } from '../../feed/writer/xml';
import type { App } from '../../http/app-env';
import { NO_PAGE_HEADERS } from '../../http/security';
import { VISITOR } from '../../policy/actor';
import type { Runtime } from '../../runtime/runtime';
import { addressReader, isWebUrl, type PublicAddress } from './page-address';

/** Editors on any site read it in the browser. The lifetime is short, because a show can become private. */
const HEADERS = { ...NO_PAGE_HEADERS, 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
const TYPES = { json: 'application/json; charset=utf-8', xml: 'text/xml; charset=utf-8' } as const;
type Format = keyof typeof TYPES;

/**
 * `/oembed?url=…`: the player for a link to a show or an episode, in the format that other sites request (oembed.com).
 */
export function oembedDoor(runtime: Runtime) {
  const read = addressReader(runtime.urls);
  const reader = { db: runtime.db, now: runtime.now, urls: runtime.urls, actor: VISITOR };
  return (app: App): void =>
    void app.get(OEMBED_PATH, async (c) => {
      const { site } = c.get('requestContext');
      const answerError = (text: string, status: 400 | 404 | 501) =>
        c.text(text, status, { ...HEADERS, 'cache-control': 'no-store' });
      if (site.kind !== 'app') return answerError('Not found.', 404);
      const format = c.req.query('format') ?? 'json';
      if (!isFormat(format)) return answerError('Formats: json, xml.', 501);
      const url = c.req.query('url') ?? '';
      if (!isWebUrl(url)) return answerError('url: the address of a show or an episode.', 400);
      const address = read(url);
      const found = address && hasPlayer(address) && (await describeEmbed(reader, address).catch(nullIfMissing));
      if (!found) return answerError('Not found.', 404);
      const space = { maxWidth: pixels(c.req.query('maxwidth')), maxHeight: pixels(c.req.query('maxheight')) };
      const answer = answerOf(runtime, found, frameSize(found.target.type, space));
      const body = format === 'json' ? JSON.stringify(answer) : toXml(answer);
      return c.body(body, 200, { ...HEADERS, 'content-type': TYPES[format] });
    });
}

const isFormat = (format: string): format is Format => Object.hasOwn(TYPES, format);

const hasPlayer = (address: PublicAddress): address is EmbedAddress => 'id' in address || address.slug !== undefined;

function nullIfMissing(error: unknown): null {
  const { kind } = describeProblem(error);
  if (kind === 'not_found' || kind === 'expired') return null;
  throw error;
}

/** A malformed limit is ignored. */
const pixels = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;

type OembedAnswer = Record<string, string | number>;

function answerOf(
  { urls }: Runtime,
  { target, title, author, cover }: Oembed,
  { width, height }: { width: number; height: number },
): OembedAnswer {
  const attributes = {
    src: urls.embed(target.type, target.id),
    width: String(width),
    height: String(height),
    title,
    loading: 'lazy',
    style: 'border:0;max-width:100%',
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeHtml(value)}"`);
  return {
    type: 'rich',
    version: '1.0',
    title,
    author_name: author.name,
    author_url: author.url,
    provider_name: 'Altavoz',
    provider_url: urls.app('/'),
    thumbnail_url: cover,
    thumbnail_width: THUMBNAIL,
    thumbnail_height: THUMBNAIL,
    html: `<iframe ${written.join(' ')}></iframe>`,
    width,
    height,
  };
}

function toXml(answer: OembedAnswer): string {
  const values = Object.entries(answer).map(([name, value]) => textElement(name, String(value)));
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${parentElement('oembed', values.join(''))}`;
}
