import { timeZoneName } from '~/app/lib/formats';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';

/** Names the time zone of all times on the page: the creator's. */
export function TimeZoneNote() {
  const { t } = useTranslation('studio');
  return <p className="muted">{t('zone.note', { zone: timeZoneName(useCreatorTimeZone()) })}</p>;
}
