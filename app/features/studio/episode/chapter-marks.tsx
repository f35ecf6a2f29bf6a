import type { KeyboardEvent, PointerEvent } from 'react';
import { formatClockTime } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { parseClock, SECONDS } from '~/server/base/time';
import classes from './sound-tools.module.css';
import type { EditedRow } from './use-chapter-rows';

type Props = { rows: EditedRow[]; durationSeconds: number; onMove: (row: number, startMs: string) => void };

/** The starts of chapters on the waveform. Dragging one, or its arrow keys, changes the time of its row. */
export function ChapterMarks({ rows, durationSeconds, onMove }: Props) {
  const durationMs = SECONDS(durationSeconds);
  return rows.map((row, index) => {
    const atMs = parseClock(row.startMs);
    if (!(atMs < durationMs)) return null;
    const moveTo = (ms: number) =>
      onMove(index, formatClockTime(Math.min(Math.max(0, Math.round(ms / STEP_MS) * STEP_MS), durationMs - STEP_MS)));
    return <Mark key={row.id} number={index + 1} title={row.title} {...{ atMs, durationMs, moveTo }} />;
  });
}

/** The precision of a row's time. */
const STEP_MS = 100;
const KEYS: Record<string, number> = {
  ArrowLeft: -SECONDS(1),
  ArrowDown: -SECONDS(1),
  ArrowRight: SECONDS(1),
  ArrowUp: SECONDS(1),
  PageDown: -SECONDS(10),
  PageUp: SECONDS(10),
};

type MarkProps = {
  number: number;
  title: string;
  atMs: number;
  durationMs: number;
  moveTo: (ms: number) => void;
};

function Mark({ number, title, atMs, durationMs, moveTo }: MarkProps) {
  const { t } = useTranslation('episode');
  function onKeyDown(event: KeyboardEvent) {
    const step = KEYS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    // the page would scroll
    event.preventDefault();
    // with Shift, a tenth
    moveTo(atMs + (event.shiftKey ? step / 10 : step));
  }
  function onPointerMove({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) {
    const track = currentTarget.parentElement?.getBoundingClientRect();
    if (!track || !currentTarget.hasPointerCapture(pointerId)) return;
    moveTo(((clientX - track.left) / track.width) * durationMs);
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      className={classes.mark}
      style={{ insetInlineStart: `${(atMs / durationMs) * 100}%` }}
      aria-label={`${t('chapters.number', { number })} ${title}`.trim()}
      aria-valuemin={0}
      aria-valuemax={durationMs / 1000}
      aria-valuenow={atMs / 1000}
      aria-valuetext={formatClockTime(atMs)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}
