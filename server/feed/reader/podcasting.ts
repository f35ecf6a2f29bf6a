import { all, child } from '../markup/elements';
import type { Element } from '../markup/tree';
import type {
  FeedBlock,
  FeedFrequency,
  FeedFunding,
  FeedImage,
  FeedLicense,
  FeedLocation,
  FeedMark,
  FeedPerson,
  FeedReference,
  FeedSoundbite,
  FeedText,
  FeedTranscript,
} from '../model';
import { readDuration } from './durations';
import { attr, listed, type Reader, readText, readUrl } from './texts';

/** Tags of Podcasting 2.0 that shows and episodes share, and Podlove's chapters; absent where there is none. */
export function readPersons(reader: Reader, parent: Element, item: number): FeedPerson[] | undefined {
  const list = all(parent, 'podcast:person').map((one): FeedPerson | null => {
    const name = readText(one);
    if (!name) return null;
    const image = readUrl(reader, attr(one, 'img'), item) || undefined;
    const link = readUrl(reader, attr(one, 'href'), item) || undefined;
    return { name, role: attr(one, 'role'), group: attr(one, 'group'), image, link };
  });
  return listed(reader, list, item);
}

export function readFunding(reader: Reader, parent: Element, item: number): FeedFunding[] | undefined {
  const list = all(parent, 'podcast:funding').map((one) => {
    const url = readUrl(reader, attr(one, 'url'), item);
    return url ? { url, text: readText(one) } : null;
  });
  return listed(reader, list, item);
}

export function readLocations(reader: Reader, parent: Element, item: number): FeedLocation[] | undefined {
  const list = all(parent, 'podcast:location').map((one): FeedLocation | null => {
    const name = readText(one);
    const [rel, geo, osm, country] = ['rel', 'geo', 'osm', 'country'].map((key) => attr(one, key));
    return name ? { name, rel, geo, osm, country } : null;
  });
  return listed(reader, list, item);
}

export function readTexts(reader: Reader, parent: Element, item: number): FeedText[] | undefined {
  const list = all(parent, 'podcast:txt').map((one) => {
    const text = readText(one);
    return text ? { purpose: attr(one, 'purpose'), text } : null;
  });
  return listed(reader, list, item);
}

export function readLicense(reader: Reader, parent: Element, item: number): FeedLicense | undefined {
  const found = child(parent, 'podcast:license');
  const name = readText(found);
  if (!name) return undefined;
  return { name, url: readUrl(reader, attr(found, 'url'), item) || undefined };
}

/** Pictures other than the cover, which apps read from itunes:image. */
export function readImages(
  reader: Reader,
  parent: Element,
  { cover, item }: { cover: string; item: number },
): FeedImage[] | undefined {
  const list = all(parent, 'podcast:image').map((one): FeedImage | null => {
    const url = readUrl(reader, attr(one, 'href'), item);
    if (!url || url === cover) return null;
    const [alt, aspectRatio, type, purpose] = ['alt', 'aspect-ratio', 'type', 'purpose'].map((key) => attr(one, key));
    return { url, alt, aspectRatio, width: whole(one, 'width'), height: whole(one, 'height'), type, purpose };
  });
  return listed(reader, list, item);
}

export function whole(element: Element | undefined, name: string): number | undefined {
  const text = attr(element, name);
  return text && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

export function readTranscripts(reader: Reader, parent: Element, item: number): FeedTranscript[] | undefined {
  const list = all(parent, 'podcast:transcript').map((one): FeedTranscript | null => {
    const url = readUrl(reader, attr(one, 'url'), item);
    const type = attr(one, 'type') ?? 'text/plain';
    return url ? { url, type, language: attr(one, 'language'), rel: attr(one, 'rel') } : null;
  });
  return listed(reader, list, item);
}

export function readSoundbites(reader: Reader, parent: Element, item: number): FeedSoundbite[] | undefined {
  const list = all(parent, 'podcast:soundbite').map((one): FeedSoundbite | null => {
    const start = readDuration(attr(one, 'starttime') ?? '');
    const duration = readDuration(attr(one, 'duration') ?? '');
    if (!start || !duration) return null;
    return { startMs: start.ms, durationMs: duration.ms, title: readText(one) || undefined };
  });
  return listed(reader, list, item);
}

export function readChapters(
  reader: Reader,
  parent: Element,
  item: number,
): { url: string; type?: string } | undefined {
  const found = child(parent, 'podcast:chapters');
  const url = readUrl(reader, attr(found, 'url'), item);
  return url ? { url, type: attr(found, 'type') } : undefined;
}

/** Podlove Simple Chapters: normal play time, `HH:MM:SS.mmm` or plain seconds. */
export function readMarks(reader: Reader, parent: Element, item: number): FeedMark[] | undefined {
  const list = all(child(parent, 'psc:chapters'), 'psc:chapter').map((one): FeedMark | null => {
    const start = readDuration(attr(one, 'start') ?? '');
    const title = attr(one, 'title');
    if (!start || !title) return null;
    const link = readUrl(reader, attr(one, 'href'), item) || undefined;
    return { startMs: start.ms, title, link, image: readUrl(reader, attr(one, 'image'), item) || undefined };
  });
  return listed(reader, list, item);
}

export function readBlocks(reader: Reader, parent: Element): FeedBlock[] | undefined {
  const list = all(parent, 'podcast:block').map((one) => {
    const service = attr(one, 'id');
    return service ? { service, blocked: isYes(one) } : null;
  });
  return listed(reader, list, 0);
}

export function isYes(element: Element | undefined): boolean {
  return /^(?:yes|true|1)$/i.test(readText(element));
}

export function readPodroll(reader: Reader, channel: Element): FeedReference[] | undefined {
  const list = all(child(channel, 'podcast:podroll'), 'podcast:remoteitem').map((one): FeedReference | null => {
    const [feedGuid, itemGuid, medium, title] = ['feedguid', 'itemguid', 'medium', 'title'].map((key) =>
      attr(one, key),
    );
    const feedUrl = readUrl(reader, attr(one, 'feedurl'), 0) || undefined;
    return feedGuid ? { feedGuid, feedUrl, itemGuid, medium, title } : null;
  });
  return listed(reader, list, 0);
}

export function readFrequency(channel: Element): FeedFrequency | undefined {
  const found = child(channel, 'podcast:updatefrequency');
  const [text, startsAt, rule] = [readText(found), attr(found, 'dtstart'), attr(found, 'rrule')];
  if (!text && !rule) return undefined;
  return { text, complete: attr(found, 'complete') === 'true' ? true : undefined, startsAt, rule };
}

const READ =
  /^podcast:(?:person|funding|location|txt|license|image|images|transcript|soundbite|chapters|block|podroll|updatefrequency|guid|locked|medium|season|episode|trailer|alternateenclosure|liveitem)$/;

/** Tags of Podcasting 2.0 that the model has no place for: chat, comments, payments and the like. */
export function noteUnread({ notes }: Reader, parent: Element, item: number): void {
  for (const { name } of parent.children) {
    if (name === 'podcast:value') notes.lost('payment_tags', item);
    else if (name.startsWith('podcast:') && !READ.test(name)) notes.lost('podcast_tags', item);
  }
}
