import { HOURS, MINUTES } from '../../time';

/** `regular` is false for what is neither seconds nor `h:mm:ss` nor `m:ss`. */
export type ReadDuration = { ms: number; regular: boolean };

/** So many seconds can only have been meant as milliseconds: 115 days. */
const ABSURD_SECONDS = 10_000_000;
const PARTS =
  /^(?:pt)?(?:(\d+(?:\.\d+)?)\s*(?:hours?|horas?|heures?|stunden?|hrs?|std|h)[\s,.]*)?(?:(\d+(?:\.\d+)?)\s*(?:minutes?|minutos?|minuten|mins?|m|')[\s,.]*)?(?:(\d+(?:\.\d+)?)\s*(?:seconds?|segundos?|secondes?|sekunden|secs?|seg|s|"|'')?[\s.]*)?$/;

/** How long an episode lasts, in whatever form feeds say it; null for what is none. */
export function readDuration(source: string): ReadDuration | null {
  const text = source.trim().toLowerCase().slice(0, 60);
  if (/^\d+(?:[.,]\d+)?$/.test(text)) return ofSeconds(text);
  if (text.includes(':')) return ofColons(text);
  const parts = PARTS.exec(text);
  if (!text || !parts || parts.slice(1).every((part) => part === undefined)) return null;
  const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return { ms: Math.round(HOURS(hours!) + MINUTES(minutes!) + seconds! * 1000), regular: false };
}

function ofSeconds(text: string): ReadDuration {
  const seconds = Number(text.replace(',', '.'));
  const absurd = seconds >= ABSURD_SECONDS;
  return { ms: Math.round(absurd ? seconds : seconds * 1000), regular: !absurd && /^\d+$/.test(text) };
}

/** `62:03` is minutes; a fourth part counts frames, and is left out. */
function ofColons(text: string): ReadDuration | null {
  const parts = text.split(/\s*:\s*/);
  if (parts.length > 4 || !parts.every((part) => /^\d{0,6}(?:[.,]\d+)?$/.test(part))) return null;
  if (parts.every((part) => part === '')) return null;
  const [seconds = 0, minutes = 0, hours = 0] = parts
    .slice(0, 3)
    .map((part) => Number(part.replace(',', '.') || 0))
    .reverse();
  return {
    ms: Math.round(HOURS(hours) + MINUTES(minutes) + seconds * 1000),
    regular: parts.length < 4 && /^(?:\d{1,3}:)?\d{1,2}:\d{2}$/.test(text),
  };
}
