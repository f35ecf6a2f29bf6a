import { useEffect, useRef } from 'react';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { player, position } from './engine';
import { usePlayer } from './use-player';

/** The position in the episode, and the remaining time. It updates without rendering; only a drag or a key seeks. */
export function SeekBar() {
  const { t } = useTranslation('player');
  const { durationSeconds } = usePlayer();
  const range = useRef<HTMLInputElement>(null);
  const elapsed = useRef<HTMLSpanElement>(null);
  const remaining = useRef<HTMLSpanElement>(null);
  const dragging = useRef(false);

  function show(seconds: number) {
    if (!range.current) return;
    renderPosition(range.current, seconds, durationSeconds);
    showTimes({ elapsed: elapsed.current, remaining: remaining.current }, seconds, durationSeconds);
  }
  usePositionUpdates(() => {
    if (!dragging.current) show(position());
  });

  return (
    <div className="player-seek">
      <span className="time" ref={elapsed} aria-hidden="true">
        0:00
      </span>
      <input
        ref={range}
        type="range"
        min={0}
        max={Math.max(1, Math.floor(durationSeconds))}
        step={1}
        defaultValue={0}
        disabled={durationSeconds === 0}
        aria-label={t('progress')}
        onInput={(event) => {
          dragging.current = true;
          show(Number(event.currentTarget.value));
        }}
        onPointerUp={(event) => finishDrag(event.currentTarget, dragging)}
        onKeyUp={(event) => finishDrag(event.currentTarget, dragging)}
        onBlur={(event) => finishDrag(event.currentTarget, dragging)}
      />
      <span className="time" ref={remaining} aria-hidden="true">
        {UNKNOWN}
      </span>
    </div>
  );
}

/** `0:12 / −1:24`. Hidden from screen readers, because the seek bar announces it. */
export function Times() {
  const { durationSeconds } = usePlayer();
  const elapsed = useRef<HTMLSpanElement>(null);
  const remaining = useRef<HTMLSpanElement>(null);
  usePositionUpdates(() =>
    showTimes({ elapsed: elapsed.current, remaining: remaining.current }, position(), durationSeconds),
  );
  return (
    <span className="player-times" aria-hidden="true">
      <span ref={elapsed} /> / <span ref={remaining} />
    </span>
  );
}

const UNKNOWN = '–:––';
type TimeTexts = { elapsed: HTMLElement | null; remaining: HTMLElement | null };

function showTimes({ elapsed, remaining }: TimeTexts, seconds: number, duration: number) {
  setText(elapsed, formatClock(seconds));
  // elapsed and remaining time always add up to the length
  setText(remaining, duration ? `−${formatClock(Math.floor(duration) - Math.floor(seconds))}` : UNKNOWN);
}

function setText(element: HTMLElement | null, text: string) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Calls back regularly (spec §9), without rendering. Keys and buttons change the position even while paused. Only
 * visible changes are written: painting the bar each time used a fifth of the CPU on machines without a graphics card.
 */
export function usePositionUpdates(follow: () => void) {
  const { durationSeconds } = usePlayer();
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    const now = () => latest.current();
    now();
    const timer = setInterval(now, PLAYER_LIMITS.refreshMs);
    return () => clearInterval(timer);
  }, [durationSeconds]);
}

function finishDrag(range: HTMLInputElement, dragging: { current: boolean }) {
  if (!dragging.current) return;
  dragging.current = false;
  player.seek(Number(range.value));
}

function renderPosition(range: HTMLInputElement, seconds: number, duration: number) {
  // half a pixel of a wide bar
  const part = `${duration ? (Math.min(1, seconds / duration) * 100).toFixed(2) : 0}%`;
  const text = formatClock(seconds);
  if (range.style.getPropertyValue('--part') === part && range.getAttribute('aria-valuetext') === text) return;
  if (document.activeElement !== range || range.value !== String(Math.floor(seconds))) range.value = String(seconds);
  range.style.setProperty('--part', part);
  range.setAttribute('aria-valuetext', text);
}
