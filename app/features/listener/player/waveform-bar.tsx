import { useCallback, useState } from 'react';
import { Waveform } from '~/app/components/waveform';
import type { Peaks } from '~/app/components/waveform-bars';
import { position } from './engine';
import { currentParts } from './episode-position';
import { SeekBar, usePositionUpdates } from './seek-bar';
import { spreadPeaks } from './spread-peaks';
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

/** Shows what is heard, with its clips, like the slider over it. */
function Played({ src }: { src: string }) {
  const { durationSeconds } = usePlayer();
  const [seconds, setSeconds] = useState(position);
  const [parts, setParts] = useState(currentParts);
  usePositionUpdates(() => {
    setSeconds(Math.floor(position() / STEP_SECONDS) * STEP_SECONDS);
    setParts(currentParts());
  });
  const spread = useCallback((peaks: Peaks) => spreadPeaks(peaks, parts, durationSeconds), [parts, durationSeconds]);
  return (
    <div className="popup-waveform">
      <Waveform src={src} totalSeconds={durationSeconds} seconds={seconds} spread={spread} />
    </div>
  );
}
