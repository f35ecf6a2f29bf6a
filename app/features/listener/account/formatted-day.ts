import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';

/** Returns a function that formats an instant in the page's language and the browser's time zone. */
export function useFormattedDay(): (at: Date) => string {
  const { locale } = useTranslation('account');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  return (at) => formatDateTime(new Date(at), locale, timeZone, true);
}
