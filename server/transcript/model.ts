/** A passage of a transcript; without times, `startMs` and `endMs` are null. */
export type Cue = { startMs: number | null; endMs: number | null; speaker: string | null; text: string };
export type TimedCue = Cue & { startMs: number; endMs: number };

export const TRANSCRIPT_SOURCES = ['vtt', 'srt', 'json', 'text'] as const;
export type TranscriptSource = (typeof TRANSCRIPT_SOURCES)[number];

export type Fault = 'too_large' | 'not_text' | 'unreadable' | 'empty' | 'too_many_cues';
export type Parsed = { ok: true; source: TranscriptSource; cues: Cue[] } | { ok: false; fault: Fault };

export const isTimed = (cue: Cue): cue is TimedCue => cue.startMs !== null && cue.endMs !== null;
