import { type RefObject, useEffect } from 'react';
import { isTimed, type TimedCue, type WordTime } from '~/server/transcript/model';
import { wordTimes } from '~/server/transcript/words';
import { highlight, rangeIn } from './caret';
import type { Passage } from './use-passages';

/** After someone scrolls or types, the list stays where it is for this long. */
const READING_MS = 5000;
const times = new WeakMap<TimedCue, WordTime[]>();

export const textOf = (id: number): HTMLElement | null => document.getElementById(`passage-${id}`);

function timesOf(cue: TimedCue): WordTime[] {
  const known = times.get(cue) ?? wordTimes(cue);
  times.set(cue, known);
  return known;
}

/** The time of the word at a character of a passage, in seconds; null without times. */
export function secondsAt({ cue }: Passage, offset: number): number | null {
  if (!isTimed(cue)) return null;
  const before = cue.text.slice(0, offset).split(/\s+/).filter(Boolean).length;
  const isInWord = /\S$/.test(cue.text.slice(0, offset));
  const [startMs] = timesOf(cue)[Math.max(0, isInWord ? before - 1 : before)] ?? [cue.startMs];
  return startMs / 1000;
}

/** The passage that is said at a time: the last one that has begun. */
export function passageAt(passages: Passage[], ms: number): Passage | null {
  let [low, high] = [0, passages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((passages[middle]!.cue.startMs ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  const found = passages[low - 1];
  return found && isTimed(found.cue) ? found : null;
}

/** Marks the word that is said, and its passage, and keeps it in view unless someone reads or types elsewhere. */
export function useFollowing(
  audio: RefObject<HTMLAudioElement>,
  current: () => Passage[],
  show: (at: Passage) => void,
) {
  useEffect(() => {
    const element = audio.current;
    if (!element) return;
    const stop = new AbortController();
    const { signal } = stop;
    let frame = 0;
    let marked: HTMLElement | null = null;
    let readAt = Number.NEGATIVE_INFINITY;
    const reading = () => {
      readAt = performance.now();
    };
    for (const type of ['wheel', 'touchmove', 'keydown']) addEventListener(type, reading, { signal, passive: true });

    function mark() {
      const ms = element!.currentTime * 1000;
      const passage = passageAt(current(), ms);
      const follows = !element!.paused && performance.now() - readAt > READING_MS;
      if (passage && follows) show(passage);
      const text = passage && textOf(passage.id);
      const row = text?.closest<HTMLElement>('li') ?? null;
      if (row !== marked) {
        marked?.removeAttribute('aria-current');
        row?.setAttribute('aria-current', 'true');
        marked = row;
        if (row && follows) keepInView(row);
      }
      highlight('spoken-word', passage && text ? wordAt(passage, text, ms) : null);
    }
    function run() {
      mark();
      frame = element!.paused ? 0 : requestAnimationFrame(run);
    }
    const begin = () => {
      cancelAnimationFrame(frame);
      run();
    };
    for (const type of ['play', 'playing', 'pause', 'seeked']) element.addEventListener(type, begin, { signal });
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
      highlight('spoken-word', null);
    };
  }, [audio, current, show]);
}

function wordAt({ cue }: Passage, text: HTMLElement, ms: number): Range | null {
  if (!isTimed(cue)) return null;
  const index = timesOf(cue).findLastIndex(([startMs]) => startMs <= ms);
  const word = [...cue.text.matchAll(/\S+/g)][index];
  return word ? rangeIn(text, word.index, word.index + word[0].length) : null;
}

function keepInView(row: HTMLElement): void {
  const { top, bottom } = row.getBoundingClientRect();
  if (top > innerHeight * 0.3 && bottom < innerHeight * 0.8) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  row.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
}
