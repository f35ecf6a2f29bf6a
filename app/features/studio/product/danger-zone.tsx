import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { DeleteProduct } from './delete-product';
import classes from './product.module.css';
import { SettingsSection } from './settings-form';

type Product = {
  id: number;
  kind: KindName;
  name: string;
  isFree: boolean;
  archivedAt: Date | null;
  allEpisodesCount: number;
};

/**
 * Actions that change a show for its listeners: making it free, redirecting its feed, archiving it, deleting it. Each
 * appears only for roles that may do it.
 */
export function DangerZone({ product, failure }: { product: Product; failure?: FormFailure }) {
  const { t } = useTranslation('product');
  const may = useMay();
  const paths = usePaths();
  return (
    <SettingsSection product={product} page="danger">
      <div className={classes.danger}>
        {failure && (
          <Alert color="red" variant="light" role="alert">
            {failure.message ?? Object.values(failure.fields).flat().join(' ')}
          </Alert>
        )}
        {!product.isFree && may('product.price') && (
          <Section title={t('free.title')}>
            <p>{t('free.lead')}</p>
            <div>
              <Button component={Link} to={paths.freeProduct(product)} variant="default">
                {t('free.open')}
              </Button>
            </div>
          </Section>
        )}
        {may('product.handOver') && (
          <Section title={t('moves.title')}>
            <p>{t('moves.lead')}</p>
            <div>
              <Button component={Link} to={paths.redirectFeed(product)} variant="default">
                {t('moves.open')}
              </Button>
            </div>
          </Section>
        )}
        {(product.isFree || product.archivedAt || may('product.price')) && (
          <Section title={t('archive.title')}>
            <p>{t(product.archivedAt ? 'archive.archived' : 'archive.text')}</p>
            <Form method="post">
              <Button
                type="submit"
                name="intent"
                value={product.archivedAt ? 'unarchive' : 'archive'}
                variant="default"
              >
                {t(product.archivedAt ? 'archive.undo' : 'archive.submit')}
              </Button>
            </Form>
          </Section>
        )}
        {may('product.delete') && <DeleteProduct product={product} />}
      </div>
    </SettingsSection>
  );
}
