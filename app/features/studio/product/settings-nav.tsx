import { type SettingsPage, usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { SETTINGS_PARTS } from '~/server/domain/products/rules';
import classes from './settings.module.css';

const PAGES: SettingsPage[] = [...SETTINGS_PARTS, 'danger'];
type Props = { product: { id: number; kind: KindName }; current: SettingsPage };

/** The pages of a show's settings, as links that work without JavaScript. */
export function SettingsNav({ product, current }: Props) {
  const { t } = useTranslation('product');
  const paths = usePaths();
  return (
    <nav className={classes.nav} aria-label={t('settings.label')}>
      {PAGES.map((page) => (
        <Link
          key={page}
          to={paths.settings(product, page)}
          prefetch="intent"
          aria-current={page === current ? 'page' : undefined}
        >
          {t(`settings.${page}`)}
        </Link>
      ))}
    </nav>
  );
}
