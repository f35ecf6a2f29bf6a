import { useTranslation } from '~/app/lib/translation';
import { formatNumber, type Locale } from '~/server/base/formats';
import { player } from './engine';
import { SPEEDS } from './state';

/**
 * The current speed as a button, which opens the menu above it. The browser closes the menu on Escape or on a click
 * elsewhere.
 */
export function SpeedMenu({ speed }: { speed: number }) {
  const { t, locale } = useTranslation('player');
  const current = formatSpeed(speed, locale);
  // React 18 has no types for popovers
  const opens = { popovertarget: 'player-speeds' };
  const popover = { popover: 'auto' };
  return (
    <>
      <button
        type="button"
        className="player-speed"
        {...opens}
        aria-label={`${t('speed')}: ${current}`}
        title={t('speed')}
      >
        {current}
      </button>
      <div id="player-speeds" className="speed-menu" {...popover}>
        <SpeedChoice speed={speed} />
      </div>
    </>
  );
}

/** One button for each speed; choosing one closes the menu around it. */
export function SpeedChoice({ speed }: { speed: number }) {
  const { t, locale } = useTranslation('player');
  return (
    <fieldset className="speeds" aria-label={t('speed')}>
      {SPEEDS.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === speed}
          onClick={(event) => {
            player.setSpeed(value);
            closeMenu(event.currentTarget);
          }}
        >
          {formatSpeed(value, locale)}
        </button>
      ))}
    </fieldset>
  );
}

function closeMenu(choice: HTMLElement) {
  const menu = choice.closest<HTMLElement>('[popover]');
  menu?.hidePopover();
}

export const formatSpeed = (speed: number, locale: Locale) => `${formatNumber(speed, locale)}×`;
