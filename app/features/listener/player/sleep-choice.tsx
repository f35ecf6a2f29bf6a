import { useTranslation } from '~/app/lib/translation';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { dispatch } from './engine';
import { sleepOf } from './sleep-timer';
import type { Sleep } from './state';

/** Stops playback after some minutes, or at the end of the episode. */
export function SleepChoice({ sleep }: { sleep: Sleep | null }) {
  const { t } = useTranslation('player-popup');
  const value = sleep?.until === 'time' ? String(sleep.minutes) : (sleep?.until ?? '');
  return (
    <label className="popup-choice">
      <span>{t('sleep')}</span>
      <select
        value={value}
        onChange={(event) => dispatch({ type: 'sleep', sleep: sleepOf(event.currentTarget.value, Date.now()) })}
      >
        <option value="">{t('sleep.off')}</option>
        {PLAYER_LIMITS.sleepMinutes.map((minutes) => (
          <option key={minutes} value={minutes}>
            {t('sleep.minutes', { minutes })}
          </option>
        ))}
        <option value="end_of_episode">{t('sleep.episode')}</option>
      </select>
    </label>
  );
}
