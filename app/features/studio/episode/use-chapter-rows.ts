import { useEffect, useMemo, useRef, useState } from 'react';
import type { FieldErrors } from '~/app/lib/check-form';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { Chapter } from '~/db/values/episodes';
import { parseClock } from '~/server/base/time';
import { isPastEnd } from '~/server/domain/episodes/rules';
import {
  type ChapterField,
  type ChapterRow,
  EMPTY_ROW,
  fieldName,
  isBlank,
  rowsFrom,
  SPARE_ROWS,
  toRow,
} from './chapter-values';

export type EditedRow = ChapterRow & { id: number };
type Episode = { durationSeconds: number | null };
type Input = { episode: Episode; chapters: Chapter[]; failure: FormFailure | undefined };

/** The rows of the chapter editor. Editing a field clears its error. */
export function useChapterRows({ episode, chapters, failure }: Input) {
  const nextId = useRef(0);
  const withId = (row: ChapterRow): EditedRow => ({ ...row, id: nextId.current++ });
  const [rows, setRows] = useState(() => {
    const initial = failure ? rowsFrom(failure.values) : chapters.map(toRow);
    return [...initial, ...Array(SPARE_ROWS).fill(EMPTY_ROW)].map(withId);
  });
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const change = (index: number, field: ChapterField, value: string) =>
    setRows((current) => current.map((row, i) => (i === index ? { ...row, [field]: value } : row)));
  const form = useRowForm({ rows, change, failure, episode });
  return {
    ...{ rows, busy, form },
    change: form.setField,
    add(seconds: number) {
      const row = withId({ ...EMPTY_ROW, startMs: formatClockTime(seconds * 1000) });
      const at = rows.findIndex(({ startMs }) => !(parseClock(startMs) <= seconds * 1000));
      setRows(at === -1 ? [...rows, row] : rows.toSpliced(at, 0, row));
    },
    remove: (id: number) => setRows((current) => current.filter((row) => row.id !== id)),
    setBusy: (id: number, isBusy: boolean) =>
      setBusy((current) => {
        const others = [...current].filter((other) => other !== id);
        return new Set(isBusy ? [...others, id] : others);
      }),
  };
}

export type ChapterRows = ReturnType<typeof useChapterRows>;

type RowFormInput = {
  rows: EditedRow[];
  change: (index: number, field: ChapterField, value: string) => void;
  failure: FormFailure | undefined;
  episode: Episode;
};

/** Provides the state of the surrounding form, which the fields read. */
function useRowForm({ rows, change, failure, episode }: RowFormInput) {
  const { t } = useTranslation('errors');
  const [refused, setRefused] = useState<FieldErrors>(() => refusedIn(rows, failure));
  useEffect(() => void setRefused(refusedIn(rows, failure)), [failure]);
  const setField = (index: number, field: ChapterField, value: string) => {
    change(index, field, value);
    setRefused(({ [`${rows[index]?.id}.${field}`]: _, ...others }) => others);
  };
  const errors = useMemo(() => {
    const late = lateIn(rows, episode, t('chapter.past_end'));
    const named = rows.flatMap(({ id }, index) =>
      FIELDS_WITH_ERRORS.map((field) => [index, field, `${id}.${field}`] as const),
    );
    return Object.fromEntries(
      named.flatMap(([index, field, key]) => {
        const message = refused[key] ?? late[key];
        return message ? [[fieldName(index, field), message]] : [];
      }),
    );
  }, [rows, refused, episode, t]);
  const setValue = (name: string, value: string) => {
    const [, row = '', field = ''] = NAME.exec(name) ?? [];
    setField(Number(row), field as ChapterField, value);
  };
  return { values: {}, errors, setField, setValue, setDefault: setValue, setError: () => {} };
}

const NAME = /^chapters\.(\d+)\.(\w+)$/;
const FIELDS_WITH_ERRORS = ['startMs', 'title', 'url', 'imageKey'] as const;

/** The server's errors, by row and field. The server numbers the submitted rows, which exclude empty ones. */
function refusedIn(rows: EditedRow[], failure: FormFailure | undefined): FieldErrors {
  const filled = rows.filter((row) => !isBlank(row));
  const entries = Object.entries(failure?.fields ?? {}).map(([name, [message = '']]) => {
    const [, row = '', field = ''] = NAME.exec(name) ?? [];
    return [`${filled[Number(row)]?.id}.${field}`, message];
  });
  return Object.fromEntries(entries);
}

/** Chapters after the end of the audio, which a shorter file has replaced. */
function lateIn(rows: EditedRow[], { durationSeconds }: Episode, message: string): FieldErrors {
  const durationMs = durationSeconds === null ? null : durationSeconds * 1000;
  const late = rows.filter(({ startMs }) => isPastEnd(parseClock(startMs), durationMs));
  return Object.fromEntries(late.map(({ id }) => [`${id}.startMs`, message]));
}
