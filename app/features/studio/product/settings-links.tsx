import { type SettingsPage, usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { SETTINGS_PARTS } from '~/server/domain/products/rules';

const PAGES: SettingsPage[] = [...SETTINGS_PARTS, 'glossary', 'danger'];
type Props = { product: { id: number; kind: KindName }; current: SettingsPage };

/** The links to the pages of a show's settings. */
export function SettingsLinks({ product, current }: Props) {
  const { t } = useTranslation('product');
  const paths = usePaths();
  return PAGES.map((page) => (
    <Link
      key={page}
      to={paths.settings(product, page)}
      prefetch="intent"
      aria-current={page === current ? 'page' : undefined}
    >
      {t(`settings.${page}`)}
    </Link>
  ));
}
