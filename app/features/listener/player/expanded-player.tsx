import { Suspense, useEffect, useRef, useState } from 'react';
import { CollapseIcon } from '~/app/components/icons';
import { brandProperties } from '~/app/lib/brand-properties';
import { useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { Chapters } from './chapters';
import { Controls, Cover } from './controls';
import { player } from './engine';
import './expanded-player.css';
import { type PopUpPart, PopUpTabs } from './popup-tabs';
import { QueueList } from './queue-list';
import { SaveButton } from './save-button';
import { SleepChoice } from './sleep-choice';
import { SpeedRange } from './speed-range';
import { type StartedEpisode, startedEpisode } from './started-episode';
import { isPromo, type PlayerState, type Track } from './state';
import { Transcript } from './transcript';
import { WaveformBar } from './waveform-bar';

/**
 * The pop-up that the cover opens (spec §2.4), loaded when it opens for the first time. It appears with its texts, in
 * the colours of the show's creator.
 */
export function ExpandedPlayer({ state }: { state: PlayerState }) {
  return <Suspense fallback={null}>{state.track && <PopUp state={state} track={state.track} />}</Suspense>;
}

function PopUp({ state, track }: { state: PlayerState; track: Track }) {
  const { t } = useTranslation('player');
  const dialog = useRef<HTMLDialogElement>(null);
  const started = useStarted(track.id);
  useEffect(() => void dialog.current?.showModal(), []);
  useClosedByNavigation();
  return (
    <dialog
      ref={dialog}
      className="player-popup"
      style={brandProperties(started?.brand ?? null)}
      aria-label={track.episodeName}
      onClose={() => player.expand(false)}
    >
      <button
        type="button"
        className="icon-button popup-close"
        onClick={() => player.expand(false)}
        aria-label={t('collapse')}
      >
        <CollapseIcon />
      </button>
      <Playing state={state} track={track} started={started} />
      <Lists state={state} track={track} started={started} />
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

type PartProps = { state: PlayerState; track: Track; started: StartedEpisode | null | undefined };

/** The bar's small cover shows until the server's details have the large one. */
function Playing({ state, track, started }: PartProps) {
  const { t } = useTranslation('player');
  return (
    <div className="popup-now">
      <p className="popup-podcast" dir="auto">
        {track.podcastName}
      </p>
      <Cover state={state} large={started?.episode.coverWebp} />
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
    </div>
  );
}

/** The tabs appear together, once it is known which ones the episode has. */
function Lists({ state, track, started }: PartProps) {
  // the next episode opens with the same tab
  const [chosen, choose] = useState<PopUpPart['name'] | null>(null);
  const { chapters, transcript } = started ?? {};
  const notes = track.description ?? started?.episode.description;
  const parts: PopUpPart[] = [];
  if (chapters) parts.push({ name: 'chapters', contents: <Chapters key={chapters} src={chapters} /> });
  if (transcript) parts.push({ name: 'transcript', contents: <Transcript key={transcript} src={transcript} /> });
  // the server sanitized them on writing
  if (notes)
    parts.push({
      name: 'notes',
      contents: <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: notes }} />,
    });
  parts.push({ name: 'queue', contents: <QueueList track={track} queue={state.queue} /> });
  if (started === undefined) return null;
  return <PopUpTabs {...{ parts, chosen, choose }} />;
}

/** The server's details of the episode; undefined until they arrive, null if they can't be loaded. */
function useStarted(id: number): StartedEpisode | null | undefined {
  const [started, setStarted] = useState<StartedEpisode | null>();
  useEffect(() => {
    let isCurrent = true;
    setStarted(undefined);
    startedEpisode(id).then(
      (answer) => isCurrent && setStarted(answer),
      () => isCurrent && setStarted(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return started;
}
