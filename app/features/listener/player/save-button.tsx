import { useEffect, useState } from 'react';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { Track } from './state';

type SaveState = 'unsaved' | 'saving' | 'saved' | 'failed';

const loadSaving = () => import('./saved-episodes');

/**
 * Saves an episode for listening without a connection, or removes it. Its code loads at the first click, or at once if
 * this browser has saved episodes.
 */
export function SaveButton({ track, onRemoved }: { track: Track; onRemoved?: () => void }) {
  const { t } = useTranslation('saved');
  const paths = useSitePaths();
  const [state, setState] = useState<SaveState>('unsaved');
  const [share, setShare] = useState(0);
  useStored(track, setState);

  async function save() {
    setState('saving');
    await (await loadSaving()).saveEpisode(track, setShare);
    setState('saved');
  }
  async function remove() {
    await (await loadSaving()).removeSaved(track);
    setState('unsaved');
    onRemoved?.();
  }
  const click = () => void (state === 'saved' ? remove() : save()).catch(() => setState('failed'));
  const name = state === 'saving' ? t('saving', { percent: Math.floor(share * 100) }) : t(state);
  return (
    <>
      <button
        type="button"
        className="button plain slim needs-js"
        aria-disabled={state === 'saving'}
        onClick={state === 'saving' ? undefined : click}
      >
        <SaveIcon />
        <span aria-live="polite" className={state === 'unsaved' ? 'tool-text' : undefined}>
          {name}
        </span>
        <span className="hidden-visually">: {track.episodeName}</span>
      </button>
      {state === 'saved' && !onRemoved && (
        <Link className="quiet-link" to={paths.saved}>
          {t('title')}
        </Link>
      )}
    </>
  );
}

const SaveIcon = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" strokeWidth="2">
    <path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 15v5h14v-5" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

function useStored(track: Track, setState: (state: SaveState) => void) {
  useEffect(() => {
    if (!('caches' in window)) return;
    let isCurrent = true;
    const show = (isStored: boolean) => isCurrent && setState(isStored ? 'saved' : 'unsaved');
    caches.has('saved-episodes').then(async (has) => show(has && (await (await loadSaving()).isSaved(track))));
    return () => {
      isCurrent = false;
    };
  }, [track, setState]);
}
