/**
 * The number of matches, and the index of the current one. `show` moves by a number of matches; after the last comes
 * the first.
 */
export type Matches = { count: number; index: number; show(step: number): Matches };

const SHORTEST = 2;

/** Highlights every match of the words, ignoring case and accents. Null if the words are too short. */
export function findInText(box: HTMLElement, words: string): Matches | null {
  const wanted = fold(words.trim()).text;
  const ranges = wanted.length < SHORTEST ? [] : placesOf(box, wanted);
  mark('found', ranges);
  mark('found-now', []);
  if (wanted.length < SHORTEST) return null;
  const at = (index: number): Matches => {
    const range = ranges[index];
    mark('found-now', range ? [range] : []);
    if (range) scrollTo(box, range);
    return {
      count: ranges.length,
      index,
      show: (step) => at((index + step + ranges.length) % Math.max(1, ranges.length)),
    };
  };
  return at(0);
}

/** The text without accents and case, and the position of each of its code units in the original. */
export function fold(text: string): { text: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  let place = 0;
  for (const char of text) {
    const plain = char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    for (let i = 0; i < plain.length; i += 1) places.push(place);
    folded += plain;
    place += char.length;
  }
  return { text: folded, places: [...places, place] };
}

function placesOf(box: HTMLElement, wanted: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { text, places } = fold(node.textContent ?? '');
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, places[at] ?? 0);
      range.setEnd(node, places[at + wanted.length] ?? places.at(-1) ?? 0);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Highlights ranges without changing the document. Older browsers only scroll to them. */
function mark(name: string, ranges: Range[]): void {
  if ('highlights' in CSS) CSS.highlights.set(name, new Highlight(...ranges));
}

function scrollTo(box: HTMLElement, range: Range): void {
  const place = range.getBoundingClientRect();
  if (box.scrollHeight > box.clientHeight)
    box.scrollTop += place.top - box.getBoundingClientRect().top - box.clientHeight / 3;
  else range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
}
