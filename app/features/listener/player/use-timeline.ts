import { useEffect, useRef, useState } from 'react';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { position } from './engine';
import { usePositionUpdates } from './seek-bar';
import { currentIndex } from './timeline';

/** The entry at the current position, which renders only when it changes; -1 before the first one. */
export function useCurrentIndex(entries: { startTime: number }[]): number {
  const [index, setIndex] = useState(-1);
  usePositionUpdates(() => setIndex(currentIndex(entries, position())));
  return index;
}

/** A file of the episode, parsed; null until it has loaded, or if it cannot be loaded. */
export function useFile<Content>(src: string, parse: (response: Response) => Promise<Content>): Content | null {
  const [content, setContent] = useState<Content | null>(null);
  const latest = useRef(parse);
  latest.current = parse;
  useEffect(() => {
    const stop = new AbortController();
    fetch(src, { signal: stop.signal })
      .then((response) => (response.ok ? latest.current(response) : null))
      .then(setContent, () => {});
    return () => stop.abort();
  }, [src]);
  return content;
}

/**
 * Keeps the current entry visible in its own scrolled list; the page does not move. It scrolls at once if playback is
 * past the first seconds when the list opens, and otherwise when the entry changes (spec §9).
 */
export function useFollowing(index: number) {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(position() > PLAYER_LIMITS.jumpsPastSeconds);
  useEffect(() => {
    const box = list.current;
    const entry = box?.children[index];
    if (!box || !(entry instanceof HTMLElement)) return;
    if (follows.current) {
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      box.scrollTo({ top: entry.offsetTop - box.clientHeight / 3, behavior: isCalm ? 'auto' : 'smooth' });
    }
    follows.current = true;
  }, [index]);
  return list;
}
