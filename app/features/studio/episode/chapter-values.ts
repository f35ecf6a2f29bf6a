import { formatClockTime } from '~/app/lib/clock';
import type { Chapter } from '~/db/values/episodes';
import { CHAPTER_LIMITS } from '~/server/limits/episodes';

/** The fields of one chapter. `picture` is the stored picture, `imageKey` an upload that replaces it. */
const FIELDS = ['startMs', 'title', 'url', 'imageKey', 'picture'] as const;
export type ChapterField = (typeof FIELDS)[number];
export type ChapterRow = Record<ChapterField, string>;

export const EMPTY_ROW: ChapterRow = { startMs: '', title: '', url: '', imageKey: '', picture: '' };

export const fieldName = (row: number, field: ChapterField) => `chapters.${row}.${field}`;

export function toRow({ startMs, title, url, imageKey }: Chapter): ChapterRow {
  return { ...EMPTY_ROW, startMs: formatClockTime(startMs), title, url: url ?? '', picture: imageKey ?? '' };
}

/**
 * Whether a row has no text, so that it is no chapter: forms have empty rows, and emptying a row deletes its chapter.
 */
export const isBlank = ({ startMs, title, url }: ChapterRow) => `${startMs}${title}${url}`.trim() === '';

/** Empty rows let the form work without JavaScript. */
export const SPARE_ROWS = 2;
/** The number of rows that a form without JavaScript can send. The server refuses rows above an episode's limit. */
const MOST_ROWS = CHAPTER_LIMITS.count + SPARE_ROWS;

/** The rows of a submitted form, in their order, without empty ones and those that no form has. */
export function rowsFrom(values: Record<string, string>): ChapterRow[] {
  const numbers = Object.keys(values).flatMap((name) => /^chapters\.(\d{1,4})\./.exec(name)?.[1] ?? []);
  const sorted = [...new Set(numbers.map(Number))].sort((a, b) => a - b);
  const rows = sorted.map(
    (row) => Object.fromEntries(FIELDS.map((field) => [field, values[fieldName(row, field)] ?? ''])) as ChapterRow,
  );
  return rows.filter((row) => !isBlank(row)).slice(0, MOST_ROWS);
}

export function toChapters(rows: ChapterRow[]) {
  return rows.map(({ startMs, title, url, imageKey, picture }) => ({
    ...{ startMs, title, url },
    imageKey: imageKey || picture || null,
  }));
}
