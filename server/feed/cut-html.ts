/** Bytes reserved at first for the end tags of elements that are still open at the cut. */
const CLOSING_BYTES = 200;
const VOID = /^(?:br|hr|img|wbr|input)$/;
/** A tag or entity without its end. A `<` that no letter follows is text, as in "I <3 it". */
const HALF_TAG = /<(?:[/!]?[a-z][^<>]*|[/!]?)$/i;
const HALF_ENTITY = /&[#\w]{0,12}$/;
/** No two parts can match the same characters, so text that only resembles tags causes no backtracking. */
const TAG = /<(\/?)([a-z][^\s/<>]*)(?:[\s/][^<>]*)?>/gi;

/** Cuts HTML to at most `maxBytes` of UTF-8, at a whole character, tag and entity, and closes open elements. */
export function cutHtml(html: string, maxBytes: number): string {
  if (html.length * 3 <= maxBytes || Buffer.byteLength(html) <= maxBytes) return html;
  for (let reserved = CLOSING_BYTES; reserved < maxBytes; reserved *= 2) {
    const { read } = new TextEncoder().encodeInto(html.slice(0, maxBytes), new Uint8Array(maxBytes - reserved));
    const fragment = html.slice(0, read).replace(HALF_TAG, '').replace(HALF_ENTITY, '').trimEnd();
    const closing = missingEndTags(fragment);
    if (Buffer.byteLength(closing) <= reserved) return fragment + closing;
  }
  return '';
}

function missingEndTags(fragment: string): string {
  const open: string[] = [];
  const counts = new Map<string, number>();
  const add = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const [tag, slash, rawName = ''] of fragment.matchAll(TAG)) {
    const name = rawName.toLowerCase();
    if (tag.endsWith('/>') || VOID.test(name)) continue;
    if (!slash) {
      open.push(name);
      add(name, 1);
    } else if (counts.get(name)) {
      let closed: string | undefined;
      do {
        closed = open.pop();
        if (closed) add(closed, -1);
      } while (closed && closed !== name);
    }
  }
  return open
    .reverse()
    .map((name) => `</${name}>`)
    .join('');
}
