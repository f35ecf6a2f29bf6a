/** The state that another of our hosts needs to continue playback: localStorage belongs to one host. */
export type HandOver = { id: number; position: number; durationSeconds: number; speed: number; playing: boolean };
/** A link to a time in an episode contains no speed: the listener's own speed stays. */
type ReadHandOver = Omit<HandOver, 'speed'> & { speed: number | undefined };

/** The URL with the player's state in its fragment, which browsers do not send and caches do not use. */
export function withHandOver(href: string, { id, position, durationSeconds, speed, playing }: HandOver): string {
  const url = new URL(href);
  const seconds = (value: number) => value.toFixed(1);
  const fields = { listen: String(id), at: seconds(position), of: seconds(durationSeconds), speed: String(speed) };
  url.hash = new URLSearchParams({ ...fields, ...(playing && { playing: '1' }) }).toString();
  return url.href;
}

/** Null if the fragment contains no player. Fragments are untrusted, so every number is checked. */
export function readHandOver(hash: string): ReadHandOver | null {
  const fields = new URLSearchParams(hash.slice(1));
  const number = (name: string, from: number, to: number) => {
    const value = Number(fields.get(name));
    return value >= from && value <= to ? value : from;
  };
  const id = number('listen', 0, Number.MAX_SAFE_INTEGER);
  if (id === 0 || !Number.isInteger(id)) return null;
  return {
    id,
    position: number('at', 0, 1e6),
    durationSeconds: number('of', 0, 1e6),
    speed: fields.has('speed') ? number('speed', 0.5, 3) : undefined,
    playing: fields.get('playing') === '1',
  };
}
