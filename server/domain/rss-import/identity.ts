import { createHash } from 'node:crypto';

/** The namespace of podcast:guid, as Podcasting 2.0 fixes it. */
const PODCAST_NAMESPACE = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6';

/** podcast:guid of a feed that has none: from its address without scheme and slashes at the end. */
export function feedGuid(url: string): string {
  const address = withoutScheme(url);
  let end = address.length;
  // a pattern for slashes at the end would look for that end from each slash anew
  while (address[end - 1] === '/') end -= 1;
  return uuid5(address.slice(0, end));
}

/** A guid for an item without one: from its file without scheme and query, so that it outlasts tokens and https. */
export function itemGuid(audioUrl: string): string {
  return uuid5(withoutScheme(withoutQuery(audioUrl)));
}

/** Without query and fragment. */
export function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0]!;
}

const withoutScheme = (url: string) => url.replace(/^[a-z]+:\/\//i, '');

/** RFC 9562 §5.5. */
export function uuid5(name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(PODCAST_NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
