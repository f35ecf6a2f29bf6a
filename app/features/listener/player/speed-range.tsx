import { useTranslation } from '~/app/lib/translation';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { player } from './engine';
import { formatSpeed } from './speed-choice';

/** A slider for every speed from 0.5 to 3 in steps of 0.1. The bar offers the usual speeds. */
export function SpeedRange({ speed }: { speed: number }) {
  const { t, locale } = useTranslation('player');
  const text = formatSpeed(speed, locale);
  return (
    <label className="popup-choice" data-own-keys>
      <span>
        {t('speed')} <b>{text}</b>
      </span>
      <input
        type="range"
        min={PLAYER_LIMITS.slowest}
        max={PLAYER_LIMITS.fastest}
        step={0.1}
        value={speed}
        aria-label={t('speed')}
        aria-valuetext={text}
        onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
      />
    </label>
  );
}
