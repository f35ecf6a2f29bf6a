/** A passage of a transcript; without times, `startMs` and `endMs` are null. */
export type Cue = {
  startMs: number | null;
  endMs: number | null;
  speaker: string | null;
  text: string;
  /** When each word of `text` is said, as `wordsOf` counts them; missing if nobody has timed them. */
  words?: WordTime[];
  /** How well times and text match the sound, from 0 to 1; missing if nobody has compared them. */
  confidence?: number;
};
/** Milliseconds from the start of the episode. */
export type WordTime = [startMs: number, endMs: number];
export type TimedCue = Cue & { startMs: number; endMs: number };

/** The format of an upload. */
export type UploadedSource = 'vtt' | 'srt' | 'json' | 'text';
/** Where a transcript comes from; `aligned`: a text whose words were timed here; `engine`: words that an engine heard. */
export type TranscriptSource = UploadedSource | 'aligned' | 'engine';

export type Fault = 'too_large' | 'not_text' | 'unreadable' | 'empty' | 'too_many_cues';
export type Parsed = { ok: true; source: TranscriptSource; cues: Cue[] } | { ok: false; fault: Fault };

export const isTimed = (cue: Cue): cue is TimedCue => cue.startMs !== null && cue.endMs !== null;
