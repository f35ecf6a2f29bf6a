import type {
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
import { emptyElement, parentElement, textElement } from './xml';

function writeEach<T>(list: T[] | undefined, write: (item: T) => string): string {
  return list ? list.map(write).join('') : '';
}

export function writeImages(list: FeedImage[] | undefined): string {
  return writeEach(list, ({ url, aspectRatio, ...rest }) =>
    emptyElement('podcast:image', { href: url, 'aspect-ratio': aspectRatio, ...rest }),
  );
}

export function writeLicense(license: FeedLicense | undefined): string {
  return license ? textElement('podcast:license', license.name, { url: license.url }) : '';
}

export function writeFunding(list: FeedFunding[] | undefined): string {
  return writeEach(list, ({ url, text }) => textElement('podcast:funding', text, { url }));
}

export function writePersons(list: FeedPerson[] | undefined): string {
  return writeEach(list, ({ name, role, group, image, link }) =>
    textElement('podcast:person', name, { role, group, img: image, href: link }),
  );
}

export function writeLocations(list: FeedLocation[] | undefined): string {
  return writeEach(list, ({ name, ...rest }) => textElement('podcast:location', name, rest));
}

export function writeTexts(list: FeedText[] | undefined): string {
  return writeEach(list, ({ purpose, text }) => textElement('podcast:txt', text, { purpose }));
}

export function writePodroll(list: FeedReference[] | undefined): string {
  if (!list?.length) return '';
  const items = writeEach(list, (reference) => emptyElement('podcast:remoteItem', reference));
  return parentElement('podcast:podroll', items);
}

export function writeUpdateFrequency(frequency: FeedFrequency | undefined): string {
  if (!frequency) return '';
  return textElement('podcast:updateFrequency', frequency.text, {
    complete: frequency.complete,
    dtstart: frequency.startsAt,
    rrule: frequency.rule,
  });
}

export function writeTranscripts(list: FeedTranscript[] | undefined): string {
  return writeEach(list, (transcript) => emptyElement('podcast:transcript', transcript));
}

export function writeSoundbites(list: FeedSoundbite[] | undefined): string {
  return writeEach(list, ({ startMs, durationMs, title }) =>
    textElement('podcast:soundbite', title ?? '', { startTime: toSeconds(startMs), duration: toSeconds(durationMs) }),
  );
}

/** Podlove Simple Chapters 1.2. */
export function writeChapterMarks(list: FeedMark[] | undefined): string {
  if (!list?.length) return '';
  const chapters = writeEach(list, ({ startMs, title, link, image }) =>
    emptyElement('psc:chapter', { start: toPlayTime(startMs), title, href: link, image }),
  );
  return parentElement('psc:chapters', chapters, { version: '1.2' });
}

/** Formats a time as normal play time, `HH:MM:SS.mmm`. */
function toPlayTime(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(ms % 1000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${rest}`;
}

/** Milliseconds as seconds with at most three decimals. */
function toSeconds(ms: number): string {
  return String(ms / 1000);
}
