import { Suspense, useEffect, useRef, useState } from 'react';
import { CollapseIcon } from '~/app/components/icons';
import { useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { Chapters } from './chapters';
import { Controls, Cover } from './controls';
import { player, position } from './engine';
import './expanded-player.css';
import { QueueList } from './queue-list';
import { SaveButton } from './save-button';
import { SleepChoice } from './sleep-choice';
import { SpeedRange } from './speed-range';
import { type StartedEpisode, startedEpisode } from './started-episode';
import { isPromo, type PlayerState, type Track } from './state';
import { Transcript } from './transcript';
import { WaveformBar } from './waveform-bar';

/** The pop-up that the cover opens (spec §2.4), loaded when it opens for the first time. */
export function ExpandedPlayer({ state }: { state: PlayerState }) {
  const { track } = state;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => void dialog.current?.showModal(), []);
  useClosedByNavigation();
  if (!track) return null;
  return (
    <dialog ref={dialog} className="player-popup" aria-label={track.episodeName} onClose={() => player.expand(false)}>
      <Suspense fallback={null}>
        <Contents state={state} track={track} />
      </Suspense>
    </dialog>
  );
}

/** Closes the pop-up when one of its links opens a page, which it would cover. */
function useClosedByNavigation() {
  const { pathname } = useLocation();
  const [openedAt] = useState(pathname);
  useEffect(() => {
    if (pathname !== openedAt) player.expand(false);
  }, [pathname, openedAt]);
}

function Contents({ state, track }: { state: PlayerState; track: Track }) {
  const { t } = useTranslation('player');
  const started = useStarted(track.id);
  const [jumps] = useState(() => position() > PLAYER_LIMITS.jumpsPastSeconds);
  return (
    <>
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
      <WaveformBar peaks={started?.peaks ?? null} />
      <Controls state={state} />
      <div className="popup-choices">
        <SpeedRange speed={state.speed} />
        <SleepChoice sleep={state.sleep} />
      </div>
      {!isPromo(track.id) && (
        <div className="popup-save">
          <SaveButton key={track.id} track={track} />
        </div>
      )}
      {started?.chapters && <Chapters key={started.chapters} src={started.chapters} jumps={jumps} />}
      {started?.transcript && <Transcript key={started.transcript} src={started.transcript} jumps={jumps} />}
      <QueueList track={track} queue={state.queue} />
      {track.description && (
        // the server sanitized it on writing
        <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: track.description }} />
      )}
    </>
  );
}

/** The server's details of the episode; null until they arrive. */
function useStarted(id: number): StartedEpisode | null {
  const [started, setStarted] = useState<StartedEpisode | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setStarted(null);
    startedEpisode(id).then(
      (answer) => isCurrent && setStarted(answer),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return started;
}
