import { deriveItemGuid } from '../guids';
import { childrenNamed } from '../markup/elements';
import type { Element } from '../markup/tree';
import { readDate } from './dates';
import { readLength } from './enclosures';
import type { ParsedItem } from './episodes';
import { typeOf } from './media-types';
import { wholeNumber } from './podcasting';
import { attributeText, boundedList, type Reader, readText, readUrl } from './texts';

/** Converts trailers of the show that are not among its items to episodes, so that none is lost. */
export function readTrailers(reader: Reader, channel: Element, items: ParsedItem[]): ParsedItem[] {
  const known = new Set(items.map(({ audio }) => audio.url));
  const list = childrenNamed(channel, 'podcast:trailer').map((one): ParsedItem | null => {
    const url = readUrl(reader, attributeText(one, 'url'), 0);
    if (!url || known.has(url)) return null;
    known.add(url);
    reader.log.repaired('trailer_made_episode');
    return {
      guid: deriveItemGuid(url),
      title: readText(one) || 'Trailer',
      description: '',
      link: '',
      type: 'trailer',
      audio: {
        url,
        bytes: readLength(attributeText(one, 'length') ?? ''),
        type: typeOf({ type: attributeText(one, 'type') ?? '', url }),
      },
      durationMs: null,
      publishedAt: readDate(attributeText(one, 'pubdate') ?? '')?.at ?? null,
      season: wholeNumber(one, 'season'),
      explicit: null,
    };
  });
  return boundedList(reader, list, 0) ?? [];
}
