import { TrackMark } from '~/app/features/studio/sound/track-mark';
import { useTranslation } from '~/app/lib/translation';
import type { Pause } from '~/server/domain/insertions/rules';
import classes from './places.module.css';

type Props = {
  places: number[];
  durationMs: number;
  pauses: Pause[];
  onMove: (index: number, atMs: number) => void;
};

/** The mid-rolls on the waveform. Dragging one, or its arrow keys, moves it from pause to pause. */
export function PointMarks({ places, durationMs, pauses, onMove }: Props) {
  const { t } = useTranslation('places');
  return places.map((atMs, index) =>
    atMs < durationMs ? (
      <TrackMark
        key={index}
        label={t('point.number', { number: index + 1 })}
        className={classes.mark}
        {...{ atMs, durationMs, pauses }}
        moveTo={(ms) => onMove(index, ms)}
      >
        <span aria-hidden="true">{index + 1}</span>
      </TrackMark>
    ) : null,
  );
}
