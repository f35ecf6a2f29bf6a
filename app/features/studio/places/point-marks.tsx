import type { KeyboardEvent, PointerEvent } from 'react';
import { formatClockTime } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { SECONDS } from '~/server/base/time';
import { nearestPause, type Pause } from '~/server/domain/insertions/rules';
import classes from './places.module.css';

type Props = {
  places: number[];
  durationMs: number;
  pauses: Pause[];
  onMove: (index: number, atMs: number) => void;
};

/** The mid-rolls on the waveform. Dragging one, or its arrow keys, moves it from pause to pause. */
export function PointMarks({ places, durationMs, pauses, onMove }: Props) {
  return places.map((atMs, index) =>
    atMs < durationMs ? (
      <Mark key={index} {...{ index, atMs, durationMs, pauses }} moveTo={(ms) => onMove(index, ms)} />
    ) : null,
  );
}

const KEYS: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

type MarkProps = { index: number; atMs: number; durationMs: number; pauses: Pause[]; moveTo: (ms: number) => void };

function Mark({ index, atMs, durationMs, pauses, moveTo }: MarkProps) {
  const { t } = useTranslation('places');
  function onKeyDown(event: KeyboardEvent) {
    const step = KEYS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    // the page would scroll
    event.preventDefault();
    // with Shift, a tenth of a second
    const next = event.shiftKey ? atMs + (step * SECONDS(1)) / 10 : nextPause(pauses, atMs, step);
    if (next !== undefined) moveTo(Math.min(Math.max(0, next), durationMs));
  }
  function onPointerMove({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) {
    const track = currentTarget.parentElement?.getBoundingClientRect();
    if (!track || !currentTarget.hasPointerCapture(pointerId)) return;
    const ms = Math.min(1, Math.max(0, (clientX - track.left) / track.width)) * durationMs;
    moveTo(nearestPause(pauses, ms)?.atMs ?? Math.round(ms / 100) * 100);
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      className={classes.mark}
      style={{ insetInlineStart: `${(atMs / durationMs) * 100}%` }}
      aria-label={t('point.number', { number: index + 1 })}
      aria-valuemin={0}
      aria-valuemax={durationMs / 1000}
      aria-valuenow={atMs / 1000}
      aria-valuetext={formatClockTime(atMs)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    >
      <span aria-hidden="true">{index + 1}</span>
    </span>
  );
}

function nextPause(pauses: Pause[], atMs: number, step: -1 | 1): number | undefined {
  return step > 0
    ? pauses.find((pause) => pause.atMs > atMs)?.atMs
    : pauses.findLast((pause) => pause.atMs < atMs)?.atMs;
}
