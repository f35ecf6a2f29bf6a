import { episodePosition, seekEpisode } from '~/app/features/listener/player/episode-position';

const EVERY_MS = 250;
/** After readers scroll, following pauses for this long. */
const READING_MS = 5000;

/**
 * Marks the current chapter and transcript passage, and seeks to a passage that the reader clicks.
 * @returns a function that stops it
 */
export function followPlayback(): () => void {
  const stop = new AbortController();
  const lists = ['.chapters', '.transcript'].flatMap((selector) => {
    const box = document.querySelector<HTMLElement>(selector);
    return box ? [follow(box, stop.signal)] : [];
  });
  const timer = setInterval(() => {
    for (const update of lists) update(episodePosition());
  }, EVERY_MS);
  stop.signal.addEventListener('abort', () => clearInterval(timer));
  return () => stop.abort();
}

function follow(box: HTMLElement, signal: AbortSignal): (seconds: number) => void {
  const entries = [...box.querySelectorAll<HTMLElement>('[data-at]')];
  const times = entries.map(({ dataset }) => Number(dataset.at));
  let current: HTMLElement | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const reading = () => {
    readAt = performance.now();
  };
  for (const type of ['wheel', 'touchmove', 'keydown']) box.addEventListener(type, reading, { signal, passive: true });
  box.addEventListener('click', seekTo, { signal });
  signal.addEventListener('abort', () => current?.removeAttribute('aria-current'));
  return (seconds) => {
    const next = entries[times.findLastIndex((time) => time <= seconds)];
    if (next === current) return;
    current?.removeAttribute('aria-current');
    next?.setAttribute('aria-current', 'true');
    current = next;
    if (next && performance.now() - readAt > READING_MS) keepInView(box, next);
  };
}

/** Scrolls the box if it has a scroll bar; the page never moves. */
function keepInView(box: HTMLElement, entry: HTMLElement): void {
  if (box.scrollHeight <= box.clientHeight) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const offset = entry.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  box.scrollBy({ top: offset, behavior: isCalm ? 'auto' : 'smooth' });
}

/** Seeks to a clicked passage. Keyboard users follow the link of the time before the passage. */
function seekTo({ target }: Event): void {
  const passage = target instanceof Element ? target.closest<HTMLElement>('span[data-at]') : null;
  if (!passage || document.getSelection()?.isCollapsed === false) return;
  seekEpisode(Number(passage.dataset.at));
}
