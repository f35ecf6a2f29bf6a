import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import classes from './sound-tools.module.css';

/** Asks users to add promos only after a feed's import has ended (spec §8). */
export function ImportNotice() {
  const { t } = useTranslation('episode');
  const isImporting = useStudio().user.imports.some(({ status }) => status === 'confirmed' || status === 'in_progress');
  if (!isImporting) return null;
  return (
    <p className={classes.notice} role="status">
      {t('promo.waitForImport')}
    </p>
  );
}
