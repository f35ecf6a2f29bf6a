import { HOURS, MINUTES } from '../../base/time';

/** `regular` is false unless the text is whole seconds, `h:mm:ss` or `m:ss`. */
export type ParsedDuration = { ms: number; regular: boolean };

/** A larger number (115 days) must be milliseconds. */
const MAX_SECONDS = 10_000_000;
const PARTS =
  /^(?:pt)?(?:(\d+(?:\.\d+)?)\s*(?:hours?|horas?|heures?|stunden?|hrs?|std|h)[\s,.]*)?(?:(\d+(?:\.\d+)?)\s*(?:minutes?|minutos?|minuten|mins?|m|')[\s,.]*)?(?:(\d+(?:\.\d+)?)\s*(seconds?|segundos?|secondes?|sekunden|secs?|seg|s|"|'')?[\s.]*)?$/;

/** Reads a duration in any form that feeds use. Returns null for text that is not a duration. */
export function readDuration(source: string): ParsedDuration | null {
  const text = source.trim().toLowerCase().slice(0, 60);
  if (/^\d+(?:[.,]\d+)?$/.test(text)) return readSeconds(text);
  if (text.includes(':')) return readClockTime(text);
  const parts = PARTS.exec(text);
  if (!text || !parts || parts.slice(1).every((part) => part === undefined)) return null;
  const [, hours = 0, minutes, last = 0, unit] = parts;
  // in `1h02` the last number is in minutes
  const inMinutes = hours && minutes === undefined && unit === undefined;
  const ms = HOURS(Number(hours)) + MINUTES(Number(inMinutes ? last : (minutes ?? 0)));
  return { ms: Math.round(ms + (inMinutes ? 0 : Number(last) * 1000)), regular: false };
}

function readSeconds(text: string): ParsedDuration {
  const seconds = Number(text.replace(',', '.'));
  const isMilliseconds = seconds >= MAX_SECONDS;
  return { ms: Math.round(isMilliseconds ? seconds : seconds * 1000), regular: !isMilliseconds && /^\d+$/.test(text) };
}

/** `62:03` is in minutes and seconds. A fourth part counts frames and is ignored. */
function readClockTime(text: string): ParsedDuration | null {
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
