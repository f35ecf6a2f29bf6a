import { useTranslation } from '~/app/lib/translation';

/** Formats times of operations in UTC, like the log. */
export function useTime(): (at: Date | string | null) => string | null {
  const { language } = useTranslation('admin');
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return (at) => at && `${format.format(new Date(at))} UTC`;
}
