import type { Peaks } from '~/app/components/waveform-bars';
import type { HeardParts } from './heard-parts';

/** The peaks of an episode spread over all that is heard, in which clips are silent. */
export function spreadPeaks({ bytes, seconds }: Peaks, parts: HeardParts, heardSeconds: number): Uint8Array {
  if (!parts || seconds <= 0) return bytes;
  const length = 2 * bytes.length;
  return Uint8Array.from({ length }, (_, index) => {
    const heard = ((index + 0.5) / length) * heardSeconds;
    const part = parts.find((each) => heard >= each.heard && heard < each.heard + each.seconds);
    if (!part) return 0;
    return bytes[Math.floor(((part.episode + heard - part.heard) / seconds) * bytes.length)] ?? 0;
  });
}
