import { useTranslation } from '~/app/lib/translation';
import { dateFormat } from '~/server/base/formats';

/** Formats times of operations in UTC, like the log. */
export function useTime(): (at: Date | string | null) => string | null {
  const { locale } = useTranslation('admin');
  const format = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return (at) => at && `${format.format(new Date(at))} UTC`;
}
