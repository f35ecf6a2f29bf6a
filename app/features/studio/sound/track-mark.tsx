import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { formatClockTime } from '~/app/lib/clock';
import { SECONDS } from '~/server/base/time';
import { nearestPause, type Pause } from '~/server/domain/insertions/rules';
import { POINT_LIMITS } from '~/server/limits/insertions';

type Props = {
  label: string;
  atMs: number;
  durationMs: number;
  pauses: Pause[];
  /** Of the pauses, how far a drag snaps to one. */
  snapMs?: (msPerPixel: number) => number;
  moveTo: (ms: number) => void;
  className?: string;
  children?: ReactNode;
};

const KEYS: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
const TENTH_MS = SECONDS(1) / 10;

/**
 * A place on a waveform. Dragging moves it and snaps to pauses; arrow keys move it from pause to pause, or by a second
 * where there are none, and with Shift by a tenth of a second.
 */
export function TrackMark(props: Props) {
  const { label, atMs, durationMs, pauses, snapMs = () => POINT_LIMITS.snapMs, moveTo, className, children } = props;
  function onKeyDown(event: KeyboardEvent) {
    const step = KEYS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    // the page would scroll
    event.preventDefault();
    const bySecond = pauses.length === 0;
    const next = event.shiftKey ? atMs + step * TENTH_MS : bySecond ? atMs + step * SECONDS(1) : null;
    const target = next ?? nextPause(pauses, atMs, step);
    if (target !== undefined) moveTo(Math.min(Math.max(0, target), durationMs));
  }
  function onPointerMove({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) {
    const track = currentTarget.parentElement?.getBoundingClientRect();
    if (!track || !currentTarget.hasPointerCapture(pointerId)) return;
    const ms = Math.min(1, Math.max(0, (clientX - track.left) / track.width)) * durationMs;
    const pause = nearestPause(pauses, ms, snapMs(durationMs / track.width));
    moveTo(pause?.atMs ?? Math.round(ms / TENTH_MS) * TENTH_MS);
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      className={className}
      style={{ insetInlineStart: `${(atMs / durationMs) * 100}%` }}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={durationMs / 1000}
      aria-valuenow={atMs / 1000}
      aria-valuetext={formatClockTime(atMs)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    >
      {children}
    </span>
  );
}

/** The time of a field has tenths: the pause at which the mark is already may seem to be a few milliseconds after it. */
function nextPause(pauses: Pause[], atMs: number, step: -1 | 1): number | undefined {
  return step > 0
    ? pauses.find((pause) => pause.atMs >= atMs + TENTH_MS)?.atMs
    : pauses.findLast((pause) => pause.atMs <= atMs - TENTH_MS)?.atMs;
}
