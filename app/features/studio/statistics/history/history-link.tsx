import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';

type Props = { product: { id: number; kind: KindName }; hasHistory: boolean };

/** Leads to the figures of other hosts, and to their import for those who may do it. */
export function HistoryLink({ product, hasHistory }: Props) {
  const { t } = useTranslation('history');
  const paths = usePaths();
  const mayChange = useMay()('product.manage');
  if (!hasHistory && !mayChange) return null;
  return (
    <p>
      <Link to={paths.importedHistory(product)}>{t(hasHistory ? 'toShow' : 'toImport')}</Link>
    </p>
  );
}
