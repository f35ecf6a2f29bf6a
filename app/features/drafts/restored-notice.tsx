import { Button, Group } from '@mantine/core';
import { useTranslation } from '~/app/lib/translation';
import classes from './restored-notice.module.css';

/** Says that a form was filled in from an earlier visit, and offers to begin anew. */
export function RestoredNotice({ at, onKeep, onForget }: { at: Date; onKeep: () => void; onForget: () => void }) {
  const { t, language } = useTranslation('studio');
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return (
    <div className={classes.notice} role="status">
      <p>{t('draft.restored', { when })}</p>
      <Group gap={8}>
        <Button type="button" size="sm" variant="subtle" onClick={onKeep}>
          {t('draft.continue')}
        </Button>
        <Button type="button" size="sm" variant="subtle" color="gray" onClick={onForget}>
          {t('draft.startOver')}
        </Button>
      </Group>
    </div>
  );
}
