import { type RefObject, useEffect, useRef } from 'react';
import { Button } from '~/app/components/button';
import { ProductsIcon } from '~/app/components/line-icons';
import { SoundPlayer } from '~/app/components/sound-player';
import { useObjectUrl } from '~/app/features/studio/upload/use-object-url';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import { CLIP_FILE_LIMITS } from '~/server/limits/media';
import type { RecordProblem } from './record-problem';
import classes from './recorder.module.css';
import type { RecorderState, useRecorder } from './use-recorder';

type Props = { recorder: ReturnType<typeof useRecorder>; onKeep: (file: File) => void };

/** Records a clip with the microphone: begin, stop, listen, and keep it or record again. */
export function Recorder({ recorder, onKeep }: Props) {
  const { state, start, stop, discard } = recorder;
  const next = useFocusOnChange(state.phase);
  return (
    <div className={classes.recorder} data-needs-script data-phase={state.phase}>
      {state.phase === 'recording' ? (
        <Running state={state} next={next} stop={stop} discard={discard} />
      ) : state.phase === 'recorded' ? (
        <Recorded file={state.file} {...{ next, start, discard }} onKeep={() => onKeep(state.file)} />
      ) : (
        <Start state={state} next={next} start={start} />
      )}
    </div>
  );
}

type Next = RefObject<HTMLButtonElement>;

/** The button that follows gets the focus, which the former one would take along. */
function useFocusOnChange(phase: RecorderState['phase']): Next {
  const next = useRef<HTMLButtonElement>(null);
  const former = useRef(phase);
  useEffect(() => {
    if (former.current !== phase) next.current?.focus();
    former.current = phase;
  }, [phase]);
  return next;
}

function Start({ state, next, start }: { state: RecorderState; next: Next; start: () => void }) {
  const { t } = useTranslation('sound');
  const isBusy = state.phase === 'asking' || state.phase === 'finishing';
  const problem = state.phase === 'failed' ? state.problem : null;
  return (
    <>
      <ProductsIcon />
      <p>
        <strong>{t('record.title')}</strong>
        <span role={problem ? 'alert' : 'status'} data-problem={problem ? true : undefined}>
          {problem ? t(`record.problem.${problem}`) : t(isBusy ? `record.${state.phase}` : 'record.help')}
        </span>
      </p>
      <Button type="button" variant="default" ref={next} onClick={actionFor(problem, start)} loading={isBusy}>
        {t(problem === 'blocked' ? 'record.reload' : problem ? 'record.retry' : 'record.start')}
      </Button>
    </>
  );
}

/** A page that was opened without the permission has it after a reload, which restores what was typed. */
const actionFor = (problem: RecordProblem | null, start: () => void) =>
  problem === 'blocked' ? () => window.location.reload() : start;

type RunningProps = {
  state: Extract<RecorderState, { phase: 'recording' }>;
  next: Next;
  stop: () => void;
  discard: () => void;
};

function Running({ state, next, stop, discard }: RunningProps) {
  const { t } = useTranslation('sound');
  const longest = formatClock(CLIP_FILE_LIMITS.longestMs / 1000);
  return (
    <>
      <p className={classes.now}>
        <span className={classes.time}>
          {formatClock(Math.floor(state.seconds))} <small>/ {longest}</small>
        </span>
        <span className={classes.meter} aria-hidden="true">
          <span style={{ inlineSize: `${shownLevel(state.peak)}%` }} />
        </span>
        <span role="status">{t(state.isSilent ? 'record.silent' : 'record.recording')}</span>
      </p>
      <span className={classes.acts}>
        <Button type="button" ref={next} onClick={stop}>
          {t('record.stop')}
        </Button>
        <Button type="button" variant="subtle" color="gray" onClick={discard}>
          {t('record.cancel')}
        </Button>
      </span>
    </>
  );
}

const RANGE_DB = 50;
/** In per cent; the ear hears levels as decibels. */
const shownLevel = (peak: number) =>
  peak <= 0 ? 0 : Math.min(100, Math.max(0, 100 + (20 * Math.log10(peak) * 100) / RANGE_DB));

type RecordedProps = { file: File; next: Next; onKeep: () => void; start: () => void; discard: () => void };

function Recorded({ file, next, onKeep, start, discard }: RecordedProps) {
  const { t } = useTranslation('sound');
  const address = useObjectUrl(file);
  return (
    <div className={classes.recorded}>
      <p role="status">
        <strong>{t('record.done')}</strong>
      </p>
      {address && <SoundPlayer src={address} />}
      <span className={classes.acts}>
        <Button type="button" ref={next} onClick={onKeep}>
          {t('record.keep')}
        </Button>
        <Button type="button" variant="default" onClick={start}>
          {t('record.again')}
        </Button>
        <Button type="button" variant="subtle" color="gray" onClick={discard}>
          {t('record.discard')}
        </Button>
      </span>
    </div>
  );
}
