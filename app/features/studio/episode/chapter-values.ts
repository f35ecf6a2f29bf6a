import { formatClockTime } from '~/app/lib/clock';
import type { Chapter } from '~/db/values/episodes';

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
 * Whether a row has text. Rows without text are not chapters: forms have empty rows, and emptying a row deletes its
 * chapter.
 */
export const isBlank = ({ startMs, title, url }: ChapterRow) => `${startMs}${title}${url}`.trim() === '';

/** The rows of a submitted form, in their order, without empty ones. */
export function rowsFrom(values: Record<string, string>): ChapterRow[] {
  const count = Math.max(
    -1,
    ...Object.keys(values).map((name) => Number(/^chapters\.(\d{1,3})\./.exec(name)?.[1] ?? -1)),
  );
  const rows = Array.from(
    { length: count + 1 },
    (_, row) => Object.fromEntries(FIELDS.map((field) => [field, values[fieldName(row, field)] ?? ''])) as ChapterRow,
  );
  return rows.filter((row) => !isBlank(row));
}

export function toChapters(rows: ChapterRow[]) {
  return rows.map(({ startMs, title, url, imageKey, picture }) => ({
    ...{ startMs, title, url },
    imageKey: imageKey || picture || null,
  }));
}
