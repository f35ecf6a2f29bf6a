import { Menu } from '@mantine/core';
import { kindInPath, usePaths } from '~/app/lib/paths';
import { Link, useLocation, useParams } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ChevronDownIcon, PlusIcon } from '../../../components/line-icons';
import { type Studio, useIsEditor, useStudio } from '../../../lib/studio-context';
import classes from './shell.module.css';

/** Shows the current product and switches to another one. */
export function ProductSwitcher() {
  const { user, products } = useStudio();
  const { id } = useParams();
  const kind = kindInPath(useLocation().pathname);
  if (!user.creator || products.length === 0) return null;
  const current = products.find((product) => product.id === Number(id) && product.kind === kind);
  return (
    <>
      <ProductLinks />
      <ProductMenu current={current} />
    </>
  );
}

/** The links that replace the menu without JavaScript. */
function ProductLinks() {
  const { t } = useTranslation('studio');
  const { products } = useStudio();
  const paths = usePaths();
  return (
    <noscript>
      <details className={classes.shows}>
        <summary>{t('switcher.none')}</summary>
        <ul>
          {products.map((product) => (
            <li key={`${product.kind}-${product.id}`}>
              <a href={paths.product(product)} className={classes.link}>
                {product.name}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </noscript>
  );
}

function ProductMenu({ current }: { current: Studio['products'][number] | undefined }) {
  const { t } = useTranslation('studio');
  const isEditor = useIsEditor();
  const { products } = useStudio();
  const paths = usePaths();
  return (
    <Menu
      withInitialFocusPlaceholder={false}
      width="target"
      position="bottom-start"
      withinPortal={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <button
          type="button"
          className={classes.switcher}
          data-needs-script
          aria-label={t('switcher.label', { name: current?.name ?? t('switcher.none') })}
        >
          {current && <img src={current.picture} alt="" className={classes.thumb} width={40} height={40} />}
          <span>{current?.name ?? t('switcher.none')}</span>
          <ChevronDownIcon />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {products.map((product) => (
          <Menu.Item
            key={`${product.kind}-${product.id}`}
            component={Link}
            to={paths.product(product)}
            leftSection={
              <img
                src={product.picture}
                alt=""
                className={classes.thumb}
                width={32}
                height={32}
                style={{ width: 32, height: 32 }}
              />
            }
          >
            {product.name}
          </Menu.Item>
        ))}
        {isEditor && (
          <>
            <Menu.Divider />
            <Menu.Item component={Link} to={paths.createProduct} leftSection={<PlusIcon />}>
              {t('switcher.create')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
