import { useEffect, useRef } from 'react';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { player, position } from './engine';
import { usePlayer } from './use-player';

/** The position in the episode. It updates on every frame without rendering; only a drag or a key seeks. */
export function SeekBar() {
  const { t } = useTranslation('player');
  const { durationSeconds } = usePlayer();
  const range = useRef<HTMLInputElement>(null);
  const elapsed = useRef<HTMLSpanElement>(null);
  const dragging = useRef(false);

  usePositionUpdates(() => {
    if (!dragging.current) renderPosition(range.current, elapsed.current, position(), durationSeconds);
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
          renderPosition(event.currentTarget, elapsed.current, Number(event.currentTarget.value), durationSeconds);
        }}
        onPointerUp={(event) => finishDrag(event.currentTarget, dragging)}
        onKeyUp={(event) => finishDrag(event.currentTarget, dragging)}
        onBlur={(event) => finishDrag(event.currentTarget, dragging)}
      />
      <span className="time" aria-hidden="true">
        {durationSeconds ? formatClock(durationSeconds) : '–:––'}
      </span>
    </div>
  );
}

/** `0:12 / 1:36`. Hidden from screen readers, because the seek bar announces it. */
export function Times() {
  const { durationSeconds } = usePlayer();
  const text = useRef<HTMLSpanElement>(null);
  usePositionUpdates(() => {
    const now = formatClock(position());
    if (text.current && text.current.textContent !== now) text.current.textContent = now;
  });
  return (
    <span className="player-times" aria-hidden="true">
      <span ref={text} /> / {durationSeconds ? formatClock(durationSeconds) : '–:––'}
    </span>
  );
}

/** Calls back while the position may change, without rendering: on every frame during playback. */
function usePositionUpdates(follow: () => void) {
  const { isPlaying, durationSeconds } = usePlayer();
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    const now = () => latest.current();
    now();
    return isPlaying ? onEveryFrame(now) : onEveryQuarterSecond(now);
  }, [isPlaying, durationSeconds]);
}

function finishDrag(range: HTMLInputElement, dragging: { current: boolean }) {
  if (!dragging.current) return;
  dragging.current = false;
  player.seek(Number(range.value));
}

function renderPosition(
  range: HTMLInputElement | null,
  elapsed: HTMLElement | null,
  seconds: number,
  duration: number,
) {
  if (!range || !elapsed) return;
  const text = formatClock(seconds);
  if (document.activeElement !== range || range.value !== String(Math.floor(seconds))) range.value = String(seconds);
  range.style.setProperty('--part', `${duration ? Math.min(100, (seconds / duration) * 100) : 0}%`);
  if (elapsed.textContent === text) return;
  elapsed.textContent = text;
  range.setAttribute('aria-valuetext', text);
}

function onEveryFrame(work: () => void): () => void {
  let frame = requestAnimationFrame(function again() {
    work();
    frame = requestAnimationFrame(again);
  });
  return () => cancelAnimationFrame(frame);
}

/** Without playback only keys and buttons change the position. */
function onEveryQuarterSecond(work: () => void): () => void {
  const timer = setInterval(work, 250);
  return () => clearInterval(timer);
}
