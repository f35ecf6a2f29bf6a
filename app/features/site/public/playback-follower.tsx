import { useEffect } from 'react';
import { usePlayer } from '~/app/features/listener/player/use-player';

/** Loads the code that follows playback once this episode is in the player. */
export function PlaybackFollower({ episodeId }: { episodeId: number }) {
  const isCurrent = usePlayer().track?.id === episodeId;
  useEffect(() => {
    if (!isCurrent) return;
    let stop: (() => void) | null = () => {};
    import('./follow-playback').then(
      ({ followPlayback }) => {
        if (stop) stop = followPlayback();
      },
      () => {},
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [isCurrent]);
  return null;
}
