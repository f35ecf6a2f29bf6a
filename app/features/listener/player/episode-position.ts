import { currentState, episodeStart, position, seek } from './engine';
import { type HeardParts, toEpisode, toHeard } from './heard-parts';

/** Where the parts of an episode are in what plays of it. Until they are known, that seems to be the episode itself. */
let known: { id: number; parts: HeardParts } | null = null;

/** The parts of the current episode; null while none are known. */
export const currentParts = (): HeardParts => (known && known.id === currentState().track?.id ? known.parts : null);

/** The time of the episode, of which clips are no part, at a time of what plays; both in seconds. */
export const episodeTime = (seconds: number): number => toEpisode(currentParts(), seconds);

/** Seconds into the episode: what is remembered, shared and reported. */
export const episodePosition = (): number => episodeTime(position());

/** Seeks to a time of the episode, wherever that is in what plays. */
export function seekEpisode(seconds: number): void {
  const parts = currentParts();
  seek(toHeard(parts, seconds), parts === null);
}

/** What plays turns out to contain clips; playback that started at a time of the episode moves there. */
export function setParts(id: number, parts: NonNullable<HeardParts>): void {
  if (currentState().track?.id !== id || parts.length === 0) return;
  known = { id, parts };
  const start = episodeStart();
  if (start !== null) seek(toHeard(parts, start) + Math.max(0, position() - start));
}
