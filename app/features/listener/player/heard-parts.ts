/**
 * The parts of an episode in what is heard of it, in their order: their starts there and in the episode, and their
 * lengths, all in seconds. Between them, clips play. Null if the episode itself is heard.
 */
export type HeardParts = readonly { heard: number; episode: number; seconds: number }[] | null;

/** The time in the episode; it stands still during a clip. */
export function toEpisode(parts: HeardParts, heard: number): number {
  if (!parts) return heard;
  const part = parts.findLast((each) => each.heard <= heard);
  return part ? part.episode + Math.min(heard - part.heard, part.seconds) : (parts[0]?.episode ?? 0);
}

/** Where a time of the episode is heard: after a clip that plays there, and with the clip at its very start. */
export function toHeard(parts: HeardParts, seconds: number): number {
  if (!parts || seconds <= 0) return Math.max(0, seconds);
  const part = parts.find((each) => seconds < each.episode + each.seconds) ?? parts.at(-1);
  return part ? part.heard + Math.min(part.seconds, Math.max(0, seconds - part.episode)) : seconds;
}
