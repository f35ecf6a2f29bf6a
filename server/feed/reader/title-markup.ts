const TAG =
  /<(\/?)(a|abbr|b|big|br|code|div|em|font|h[1-6]|i|img|p|q|s|small|span|strong|sub|sup|u)(?![\w-])([^<>]*)>/gi;
/** These tags separate words; other tags can occur inside a word. */
const SEPARATES = /^(?:br|div|h[1-6]|img|p)$/;

type Tag = { start: number; end: number; name: string; isEnd: boolean; isBare: boolean };

/**
 * Removes markup from a title, but not the words of a title about HTML: a single tag without attributes that stands
 * between spaces or in quotes, as in "The <p> tag".
 */
export function removeMarkup(title: string): string {
  if (!title.includes('<')) return title;
  const tags = [...title.matchAll(TAG)].map(({ 0: tag, 1: slash, 2: name, 3: rest, index }): Tag => {
    return {
      start: index,
      end: index + tag.length,
      name: name!.toLowerCase(),
      isEnd: slash !== '',
      isBare: rest === '',
    };
  });
  const isOnlyMarkup = !/[\p{L}\p{N}]/u.test(title.replace(TAG, ''));
  const paired = pairedTags(tags);
  let text = '';
  let from = 0;
  for (const tag of tags) {
    if (!isOnlyMarkup && tag.isBare && !paired.has(tag) && standsAlone(title, tag)) continue;
    text += title.slice(from, tag.start) + (SEPARATES.test(tag.name) ? ' ' : '');
    from = tag.end;
  }
  return text + title.slice(from);
}

/** Start tags that have an end tag, together with their end tags. */
function pairedTags(tags: Tag[]): Set<Tag> {
  const paired = new Set<Tag>();
  const open = new Map<string, Tag[]>();
  for (const tag of tags) {
    const starts = open.get(tag.name) ?? [];
    const start = tag.isEnd ? starts.pop() : undefined;
    if (start) paired.add(start).add(tag);
    else if (!tag.isEnd) open.set(tag.name, starts).get(tag.name)!.push(tag);
  }
  return paired;
}

function standsAlone(title: string, { start, end }: Tag): boolean {
  const [before, after] = [title[start - 1] ?? ' ', title[end] ?? ' '];
  return /[\s(/]/.test(before) ? /[\s),.:;!?/]/.test(after) : /["'“‘«`]/.test(before) && /["'”’»`]/.test(after);
}
