import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { useChange, useErrorMessage } from '~/app/lib/trpc';
import { SECONDS } from '~/server/base/time';

/** `toMs`: the end of a passage that is left out. */
export type HeardPlace = { atMs: number; toMs?: number; clipId: number | null };

/** Between two questions whether a clip is ready: half a minute takes a second or two, but another clip may come first. */
const FIRST_WAIT_MS = SECONDS(1);
const LONGEST_WAIT_MS = SECONDS(15);
const GROWTH = 1.5;

/**
 * Plays the seconds around a place of an episode as listeners will hear them. A clip that is not ready for the episode is
 * converted first. @returns what to show meanwhile; null if there is nothing to say
 */
export function useSound(episodeId: number) {
  const { t } = useTranslation('places');
  const { t: tError } = useTranslation('errors');
  const { changeAsync } = useChange('insertionPoints.prepareSound');
  const messageOf = useErrorMessage();
  const audio = useRef<HTMLAudioElement | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  // only the place that was chosen last is played
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current += 1;
      audio.current?.pause();
    },
    [],
  );

  async function hear({ atMs, toMs, clipId }: HeardPlace): Promise<void> {
    latest.current += 1;
    const mine = latest.current;
    audio.current?.pause();
    try {
      let waitMs = FIRST_WAIT_MS;
      for (let isReady = clipId === null; !isReady; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * GROWTH)) {
        const { status, failureReason } = await changeAsync({ id: episodeId, clipId: clipId! });
        if (mine !== latest.current) return;
        if (status === 'failed') return setMessage(tError(failureReason ?? 'common.something_went_wrong'));
        isReady = status === 'ready';
        setMessage(isReady ? null : t('sound.preparing'));
        if (!isReady) await wait(waitMs);
        if (mine !== latest.current) return;
      }
      const query = new URLSearchParams({ at: `${Math.round(atMs)}` });
      if (toMs !== undefined) query.set('to', `${Math.round(toMs)}`);
      if (clipId !== null) query.set('clip', `${clipId}`);
      audio.current = new Audio(`/audio/previews/${episodeId}.mp3?${query}`);
      await audio.current.play();
      setMessage(t('sound.playing'));
      audio.current.onended = () => mine === latest.current && setMessage(null);
    } catch (error) {
      if (mine === latest.current) setMessage(error instanceof DOMException ? t('sound.unplayable') : messageOf(error));
    }
  }

  return { hear, message };
}

/** Ends after a time, but not while nobody sees the tab. */
async function wait(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (!document.hidden) return;
  await new Promise<void>((resolve) => {
    function onChange() {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', onChange);
      resolve();
    }
    document.addEventListener('visibilitychange', onChange);
  });
}
