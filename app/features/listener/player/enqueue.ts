import { currentState, dispatch } from './engine';
import { loadQueue, saveQueue } from './player-storage';
import { addToQueue, playNext, without } from './queue';
import type { Track } from './state';

/**
 * Puts an episode at the beginning or the end of the queue; `add` removes an episode that is already queued. It also
 * works while nothing plays: the queue is stored here, because the file that follows the player may not be loaded.
 */
export function enqueue(track: Track, how: 'next' | 'add'): void {
  const state = currentState();
  const isShown = state.queue.some(({ id }) => id === track.id);
  const queue = state.queue.length > 0 || state.track ? state.queue : loadQueue();
  const change = how === 'next' ? playNext : isShown ? removed : addToQueue;
  const changed = change(queue, track);
  saveQueue(changed);
  dispatch({ type: 'queued', queue: changed });
}

const removed = (queue: Track[], { id }: Track) => without(queue, id);
