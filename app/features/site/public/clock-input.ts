/** '12:31' → 751; also hours, and seconds alone. Null for anything else. */
export function secondsOf(time: string): number | null {
  const [, hours, minutes, seconds] = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5})$/.exec(time.trim()) ?? [];
  if (seconds === undefined) return null;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
}
