import { useTranslation } from '~/app/lib/translation';
import type { Track } from './state';
import { usePlayer } from './use-player';

/** Adds an episode to the player's queue, or removes it. Its code loads at the first click. */
export function QueueMenu({ track }: { track: Track }) {
  const { t } = useTranslation('player');
  const isQueued = usePlayer().queue.some(({ id }) => id === track.id);
  const button = (how: 'next' | 'add', text: string) => (
    <button
      type="button"
      onClick={() =>
        void import('./enqueue').then(
          ({ enqueue }) => enqueue(track, how),
          () => {},
        )
      }
    >
      <span aria-live="polite">{text}</span>
      <span className="hidden-visually">: {track.episodeName}</span>
    </button>
  );
  return (
    <p className="queue-menu needs-js">
      {button('next', t('queue.next'))}
      {button('add', t(isQueued ? 'queue.queued' : 'queue.add'))}
    </p>
  );
}
