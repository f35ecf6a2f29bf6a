import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';

const MINUTE = 60_000;

/** Shorter shows are not described by their length: each episode's is rounded to a minute, and their sum would differ. */
export const TELLING_LENGTH_MS = 10 * MINUTE;

/** A length in hours and minutes, such as `2 h 5 min`; at least a minute. */
export function lengthText(durationMs: number, language: Language): string {
  const t = translator(language, 'offer');
  const total = Math.max(1, Math.round(durationMs / MINUTE));
  const [hours, minutes] = [Math.floor(total / 60), total % 60];
  if (hours === 0) return t('length.minutes', { minutes });
  return minutes === 0 ? t('length.hours', { count: hours }) : t('length.both', { count: hours, minutes });
}
