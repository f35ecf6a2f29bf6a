import { PLAYER_LIMITS } from '~/server/limits/player';
import type { Track } from './state';

/** Plays the episode after the current one; the queue contains each episode once. */
export function playNext(queue: Track[], track: Track): Track[] {
  return [track, ...without(queue, track.id)].slice(0, PLAYER_LIMITS.queue);
}

export function addToQueue(queue: Track[], track: Track): Track[] {
  return [...without(queue, track.id), track].slice(-PLAYER_LIMITS.queue);
}

export const without = (queue: Track[], id: number): Track[] => queue.filter((track) => track.id !== id);

/** @param by -1 plays the episode earlier, 1 later; at the ends of the queue nothing changes */
export function moveInQueue(queue: Track[], id: number, by: -1 | 1): Track[] {
  const from = queue.findIndex((track) => track.id === id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= queue.length) return queue;
  const moved = [...queue];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}
