import { useEffect, useRef, useState } from 'react';
import { closeToasts, showErrorToast, showToast, showUndoToast } from '~/app/components/toast';
import { useRevalidator } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useChange, useErrorMessage } from '~/app/lib/trpc';
import { dateFormat } from '~/server/base/formats';
import type { Release, ReleaseMonth } from '~/server/domain/episodes/calendar';
import { releaseOnDay } from '~/server/domain/episodes/rules';

/** `savedAt`: the releases on the page when the server had saved it; null before. */
type Move = { release: Release; savedAt: Release[] | null };

/** The page shows what its loader has sent some time after the loader has ended. */
const isOnPage = ({ release, savedAt }: Move, releases: Release[]) =>
  savedAt !== null && (savedAt !== releases || releases.find(({ id }) => id === release.id)?.day === release.day);

/**
 * Moves scheduled episodes to other days, at their time of day. The calendar shows the move at once, and the old day
 * again with an error toast if the server refuses it. Users can undo the move from the toast.
 */
export function useMoves({ timeZone, releases }: Pick<ReleaseMonth, 'timeZone' | 'releases'>) {
  const { t, locale } = useTranslation('team');
  const { t: tStudio } = useTranslation('studio');
  const { revalidate } = useRevalidator();
  const errorMessage = useErrorMessage();
  const isEditor = useMay()('episode.manage');
  const mayMove = ({ status }: Release) => isEditor && status === 'scheduled';
  const [latest, setLatest] = useState<Move | null>(null);
  const moving = latest && !isOnPage(latest, releases) ? latest.release : null;
  const onPage = useRef(releases);
  useEffect(() => {
    onPage.current = releases;
  }, [releases]);
  const { changeAsync } = useChange('episodes.release');
  const close = tStudio('close');
  const format = dateFormat(locale, { ...LONG_DAY, hour: 'numeric', minute: '2-digit', timeZone });

  /** @param release as it becomes */
  async function save(release: Release, onSaved: (text: string) => void) {
    const { id, kind, name, releaseAt: releaseDate } = release;
    setLatest({ release, savedAt: null });
    try {
      const saved = await changeAsync({ id, kind, releaseDate });
      await revalidate();
      if (saved.status === 'scheduled') onSaved(t('calendar.moved', { name, when: format.format(releaseDate) }));
      else showToast(tStudio('done.episode_published'), close);
      setLatest({ release, savedAt: onPage.current });
    } catch (error) {
      // a session that has expired makes the loader redirect to the login page and back
      await revalidate();
      showErrorToast(errorMessage(error), close);
      setLatest(null);
    }
  }

  function move(release: Release, day: string) {
    // a release whose time has come is public, and would be unpublished
    if (day === release.day || release.releaseAt.getTime() <= Date.now()) return;
    const onUndo = () => {
      // closes the toast of an earlier undo
      closeToasts();
      void save(release, (text) => showToast(text, close));
    };
    const moved = { ...release, releaseAt: releaseOnDay(release.releaseAt, day, timeZone), day };
    void save(moved, (text) => showUndoToast(text, { close, undo: tStudio('undo'), onUndo }));
  }

  return {
    move,
    hasMovable: releases.some(mayMove),
    isMovable: (release: Release) => mayMove(release) && moving === null,
    /** With the move that is being saved, in the order of their times. */
    releases: moving
      ? releases
          .map((release) => (release.id === moving.id ? moving : release))
          .sort((a, b) => a.releaseAt.getTime() - b.releaseAt.getTime())
      : releases,
  };
}

export type Moves = ReturnType<typeof useMoves>;

const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const;
