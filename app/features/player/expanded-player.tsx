import { useEffect, useRef } from 'react';
import { CollapseIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { Controls, Cover } from './controls';
import { player } from './engine';
import { SeekBar } from './seek-bar';
import { SpeedChoice } from './speed-choice';
import type { PlayerState } from './state';

/** The pop-up that the cover opens (spec §2.4): podcast, cover, skip buttons, episode, host and description. */
export function ExpandedPlayer({ state }: { state: PlayerState }) {
  const { t } = useTranslation('player');
  const dialog = useRef<HTMLDialogElement>(null);
  const { track, expanded } = state;

  useEffect(() => {
    if (expanded) dialog.current?.showModal();
    else dialog.current?.close();
  }, [expanded]);

  if (!track) return null;
  return (
    <dialog ref={dialog} className="player-popup" aria-label={track.episodeName} onClose={() => player.expand(false)}>
      <button
        type="button"
        className="icon-button popup-close"
        onClick={() => player.expand(false)}
        aria-label={t('collapse')}
      >
        <CollapseIcon />
      </button>
      <p className="popup-podcast" dir="auto">
        {track.podcastName}
      </p>
      <Cover state={state} large />
      <h2 dir="auto">{track.episodeName}</h2>
      <p className="popup-host">
        {t('by')} <bdi>{track.hostedBy}</bdi>
      </p>
      <SeekBar />
      <Controls state={state} />
      <SpeedChoice speed={state.speed} />
      {track.description && (
        // the server sanitized it on writing
        <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: track.description }} />
      )}
    </dialog>
  );
}
