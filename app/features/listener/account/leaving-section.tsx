import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import classes from './settings.module.css';

/** Leads owners to the steps before the deletion: feeds, archive, money. */
export function LeavingSection() {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  const may = useMay();
  if (!may('product.handOver')) return null;
  return (
    <Section title={t('leaving.title')}>
      <p className={classes.name}>{t('leaving.what')}</p>
      <div>
        <Button component={Link} to={paths.leaving} variant="default">
          {t('leaving.open')}
        </Button>
      </div>
    </Section>
  );
}
