import { useState } from 'react';
import { episodePosition } from '~/app/features/listener/player/episode-position';
import { usePlayer } from '~/app/features/listener/player/use-player';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { momentFragment } from '~/server/base/public-paths';
import { secondsOf } from './clock-input';
import { CopyRow } from './copy-row';

type Props = { episodeId: number; url: string; name: string };

/** The link with a start time, taken from the player or typed, and the system's share menu. */
export function ShareTools({ episodeId, url, name }: Props) {
  const { t } = useTranslation('listening');
  const isCurrent = usePlayer().track?.id === episodeId;
  const [startsLater, setStartsLater] = useState(true);
  const [time, setTime] = useState(() => formatClock(isCurrent ? episodePosition() : 0));
  const seconds = secondsOf(time);
  const link = startsLater && seconds ? url + momentFragment(episodeId, seconds) : url;

  function choose(isChosen: boolean) {
    setStartsLater(isChosen);
    if (isChosen && isCurrent) setTime(formatClock(episodePosition()));
  }

  return (
    <>
      <p className="start-at">
        <label>
          <input type="checkbox" checked={startsLater} onChange={({ target }) => choose(target.checked)} />{' '}
          {t('share.startAt')}
        </label>
        <input
          className="input"
          value={time}
          aria-label={t('share.time')}
          aria-invalid={seconds === null}
          maxLength={8}
          onChange={({ target }) => {
            setTime(target.value);
            setStartsLater(true);
          }}
        />
      </p>
      <CopyRow text={link} label={t('share.link')} />
      {typeof navigator.share === 'function' && (
        <button
          type="button"
          className="button plain slim"
          // a visitor who closes the share menu shares nothing
          onClick={() => void navigator.share({ title: name, url: link }).catch(() => {})}
        >
          {t('share.with')}
        </button>
      )}
    </>
  );
}
