import { Group } from '@mantine/core';
import { Button } from '~/app/components/button';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import classes from './restored-notice.module.css';

/** Says that the form contains a restored draft, and offers to start over. */
export function RestoredNotice({
  at,
  onContinue,
  onStartOver,
}: {
  at: Date;
  onContinue: () => void;
  onStartOver: () => void;
}) {
  const { t, locale } = useTranslation('studio');
  const when = formatDate(at, locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className={classes.notice} role="status">
      <p>{t('draft.restored', { when })}</p>
      <Group gap={8}>
        <Button type="button" size="sm" variant="subtle" onClick={onContinue}>
          {t('draft.continue')}
        </Button>
        <Button type="button" size="sm" variant="subtle" color="gray" onClick={onStartOver}>
          {t('draft.startOver')}
        </Button>
      </Group>
    </div>
  );
}
