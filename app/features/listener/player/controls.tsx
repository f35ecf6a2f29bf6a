import type { ReactNode } from 'react';
import { BackIcon, ForwardIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon, VolumeIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { player } from './engine';
import { type PlayerState, showsPause } from './state';

const { backSeconds, forwardSeconds } = PLAYER_LIMITS;

/** Shows a loading image until the audio can play. After a reload the cover shows at once (spec §4). */
export function Cover({ state, large }: { state: PlayerState; large?: string | null }) {
  const { track, canPlay, isOnRefresh, audioPlayStatus } = state;
  const isLoading = !canPlay && !isOnRefresh && audioPlayStatus;
  if (!track?.cover) return <span className="cover cover-blank" data-loading={isLoading} />;
  return (
    <span className="player-picture" data-loading={isLoading}>
      <img className="cover" src={large ?? track.coverWebp ?? track.cover} alt="" width={56} height={56} />
    </span>
  );
}

export function Controls({ state }: { state: PlayerState }) {
  const { t } = useTranslation('player');
  const pauses = showsPause(state);
  return (
    <div className="player-controls">
      <ControlButton label={t('previous')} className="player-skip" onClick={() => player.skip('previous')}>
        <PreviousIcon />
      </ControlButton>
      <ControlButton label={t('back', { seconds: backSeconds })} onClick={() => player.jump(-backSeconds)}>
        <BackIcon seconds={backSeconds} />
      </ControlButton>
      <ControlButton label={t(pauses ? 'pause' : 'play')} className="player-main" onClick={() => player.toggle()}>
        {pauses ? <PauseIcon /> : <PlayIcon />}
      </ControlButton>
      <ControlButton label={t('forward', { seconds: forwardSeconds })} onClick={() => player.jump(forwardSeconds)}>
        <ForwardIcon seconds={forwardSeconds} />
      </ControlButton>
      <ControlButton label={t('next')} className="player-skip" onClick={() => player.skip('next')}>
        <NextIcon />
      </ControlButton>
    </div>
  );
}

type ControlButtonProps = { label: string; className?: string; onClick: () => void; children: ReactNode };

function ControlButton({ label, className = '', onClick, children }: ControlButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} onClick={onClick} aria-label={label} title={label}>
      {children}
    </button>
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
