import { useState } from 'react';
import { Waveform } from '~/app/components/waveform';
import { episodePosition, episodeTime } from './episode-position';
import { SeekBar, usePositionUpdates } from './seek-bar';
import { usePlayer } from './use-player';

/** The waveform as the seek bar, or a line if there is no waveform. */
export function WaveformBar({ peaks }: { peaks: string | null }) {
  return (
    <div className="popup-seek" data-waveform={peaks !== null}>
      {peaks && <Played src={peaks} />}
      <SeekBar />
    </div>
  );
}

/** Half a second, or less than one pixel of the waveform. */
const STEP_SECONDS = 0.5;

function Played({ src }: { src: string }) {
  const { durationSeconds } = usePlayer();
  const [seconds, setSeconds] = useState(episodePosition);
  usePositionUpdates(() => setSeconds(Math.floor(episodePosition() / STEP_SECONDS) * STEP_SECONDS));
  return (
    <div className="popup-waveform">
      <Waveform src={src} totalSeconds={episodeTime(durationSeconds)} seconds={seconds} />
    </div>
  );
}
