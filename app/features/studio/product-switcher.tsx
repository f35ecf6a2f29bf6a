import { Menu } from '@mantine/core';
import { Link, useLocation, useParams } from '@remix-run/react';
import { kindInPath, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { ChevronDownIcon, PlusIcon } from '../../components/line-icons';
import { useStudio } from '../../lib/studio-context';
import classes from './shell.module.css';

/** Shows the current product and switches to another one. */
export function ProductSwitcher() {
  const { t } = useTranslation('studio');
  const { user, products } = useStudio();
  const paths = usePaths();
  const { id } = useParams();
  const kind = kindInPath(useLocation().pathname);
  if (!user.creator || products.length === 0) return null;
  const current = products.find((product) => product.id === Number(id) && product.kind === kind);
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
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.createProduct} leftSection={<PlusIcon />}>
          {t('switcher.create')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
