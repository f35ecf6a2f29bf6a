import { deriveItemGuid } from '../guids';
import { all } from '../markup/elements';
import type { Element } from '../markup/tree';
import { readDate } from './dates';
import { typeOf } from './enclosures';
import type { ReadItem } from './episodes';
import { whole } from './podcasting';
import { attr, listed, type Reader, readText, readUrl } from './texts';

/** Trailers that the show names and that are no items: each becomes an episode of its own, so that none is lost. */
export function trailersOf(reader: Reader, channel: Element, items: ReadItem[]): ReadItem[] {
  const known = new Set(items.map(({ audio }) => audio.url));
  const list = all(channel, 'podcast:trailer').map((one): ReadItem | null => {
    const url = readUrl(reader, attr(one, 'url'), 0);
    if (!url || known.has(url)) return null;
    known.add(url);
    reader.notes.repaired('trailer_made_episode');
    return {
      guid: deriveItemGuid(url),
      title: readText(one) || 'Trailer',
      description: '',
      link: '',
      type: 'trailer',
      audio: {
        url,
        bytes: Number(/^\d{1,15}$/.exec(attr(one, 'length') ?? '')?.[0] ?? 0),
        type: typeOf({ type: attr(one, 'type') ?? '', url }),
      },
      durationMs: null,
      publishedAt: readDate(attr(one, 'pubdate') ?? '')?.at ?? null,
      season: whole(one, 'season'),
      explicit: null,
    };
  });
  return listed(reader, list, 0) ?? [];
}
