import { NextIcon, PauseIcon, PlayIcon, PreviousIcon, VolumeIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { player } from './engine';
import { type PlayerState, SPEEDS, showsPause } from './state';

/** Shows a loading image until the audio can play. After a reload the cover shows at once (spec §4). */
export function Cover({ state, large = false }: { state: PlayerState; large?: boolean }) {
  const { track, canPlay, isOnRefresh, audioPlayStatus } = state;
  const isLoading = !canPlay && !isOnRefresh && audioPlayStatus;
  if (!track?.cover) return <span className="cover cover-blank" data-loading={isLoading} />;
  return (
    <span className="player-picture" data-loading={isLoading}>
      <img
        className="cover"
        src={large ? track.cover : (track.coverWebp ?? track.cover)}
        alt=""
        width={56}
        height={56}
      />
    </span>
  );
}

export function Controls({ state }: { state: PlayerState }) {
  const { t } = useTranslation('player');
  const pauses = showsPause(state);
  return (
    <div className="player-controls">
      <button
        type="button"
        className="player-button"
        onClick={() => player.skip('previous')}
        aria-label={t('previous')}
      >
        <PreviousIcon />
      </button>
      <button
        type="button"
        className="player-button player-main"
        onClick={() => player.toggle()}
        aria-label={t(pauses ? 'pause' : 'play')}
      >
        {pauses ? <PauseIcon /> : <PlayIcon />}
      </button>
      <button type="button" className="player-button" onClick={() => player.skip('next')} aria-label={t('next')}>
        <NextIcon />
      </button>
    </div>
  );
}

export function SpeedChoice({ language, speed }: { language: string; speed: number }) {
  const { t } = useTranslation('player');
  const number = new Intl.NumberFormat(language);
  return (
    <select
      className="player-speed"
      aria-label={t('speed')}
      value={speed}
      onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
    >
      {SPEEDS.map((value) => (
        <option key={value} value={value}>
          {number.format(value)}×
        </option>
      ))}
    </select>
  );
}

export function Volume({ steps }: { steps: number }) {
  const { t } = useTranslation('player');
  return (
    <label className="player-volume" data-own-keys>
      <VolumeIcon />
      <input
        type="range"
        min={0}
        max={PLAYER_LIMITS.volumeSteps}
        step={1}
        value={steps}
        aria-label={t('volume')}
        aria-valuetext={`${steps * (100 / PLAYER_LIMITS.volumeSteps)} %`}
        onChange={(event) => player.setVolume(Number(event.currentTarget.value))}
      />
    </label>
  );
}
