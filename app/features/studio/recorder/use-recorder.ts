import { useCallback, useEffect, useRef, useState } from 'react';
import { CLIP_FILE_LIMITS } from '~/server/limits/media';
import type { Recording } from './record';
import { knownProblem, problemOf, type RecordProblem, recordingName } from './record-problem';

/** `isSilent`: nothing was heard yet, for some seconds. `peak`: from 0 to 1. */
export type RecorderState =
  | { phase: 'idle' | 'asking' | 'finishing' }
  | { phase: 'recording'; seconds: number; peak: number; isSilent: boolean }
  | { phase: 'recorded'; file: File }
  | { phase: 'failed'; problem: RecordProblem };

const IDLE: RecorderState = { phase: 'idle' };
/** Below it is the noise of a muted microphone. */
const QUIET = 0.005;
const SILENT_SECONDS = 3;
const FALL = 0.85;

/** Records the microphone. Leaving the page warns while something would be lost, and always frees the microphone. */
export function useRecorder() {
  const [state, setState] = useState<RecorderState>(IDLE);
  const recording = useRef<Recording | null>(null);
  const seconds = useRef(0);
  /** Counts starts and ends, so that an answer that arrives late is ignored. */
  const turn = useRef(0);
  useWarning(state.phase === 'recording' || state.phase === 'recorded');
  const end = useCallback((next: RecorderState) => {
    turn.current += 1;
    recording.current?.cancel();
    recording.current = null;
    setState(next);
  }, []);
  useEffect(
    () => () => {
      turn.current += 1;
      recording.current?.cancel();
    },
    [],
  );

  async function start(): Promise<void> {
    const known = knownProblem();
    end(known ? { phase: 'failed', problem: known } : { phase: 'asking' });
    if (known) return;
    const mine = turn.current;
    let loudest = 0;
    seconds.current = 0;
    try {
      // loaded for the first recording
      const { startRecording } = await import('./record');
      const begun = await startRecording({
        longestMs: CLIP_FILE_LIMITS.longestMs,
        onHeard(heard) {
          if (mine !== turn.current) return;
          seconds.current = heard.seconds;
          loudest = Math.max(loudest, heard.peak);
          const isSilent = loudest < QUIET && heard.seconds > SILENT_SECONDS;
          // falls slowly, so that the eye can follow
          setState((former) => {
            const shown = former.phase === 'recording' ? former.peak * FALL : 0;
            return { phase: 'recording', seconds: heard.seconds, peak: Math.max(heard.peak, shown), isSilent };
          });
        },
        onOver: () => mine === turn.current && void stop(),
        onFailed: () => mine === turn.current && end({ phase: 'failed', problem: 'failed' }),
      });
      if (mine !== turn.current) return begun.cancel();
      recording.current = begun;
      setState({ phase: 'recording', seconds: 0, peak: 0, isSilent: false });
    } catch (error) {
      if (mine === turn.current) end({ phase: 'failed', problem: problemOf(error) });
    }
  }

  async function stop(): Promise<void> {
    const ending = recording.current;
    if (!ending) return;
    if (seconds.current * 1000 < CLIP_FILE_LIMITS.shortestMs) return end({ phase: 'failed', problem: 'short' });
    recording.current = null;
    turn.current += 1;
    const mine = turn.current;
    setState({ phase: 'finishing' });
    try {
      const file = new File([await ending.stop()], recordingName(new Date()), { type: 'audio/mpeg' });
      if (mine === turn.current) setState({ phase: 'recorded', file });
    } catch (error) {
      if (mine === turn.current) end({ phase: 'failed', problem: problemOf(error) });
    }
  }

  return { state, start: () => void start(), stop: () => void stop(), discard: () => end(IDLE) };
}

function useWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
