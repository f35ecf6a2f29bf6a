import { DropDown, dropDownItem } from '~/app/components/drop-down';
import { kindInPath, usePaths } from '~/app/lib/paths';
import { Link, useLocation, useParams } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ChevronDownIcon, PlusIcon } from '../../../components/line-icons';
import { useIsEditor, useStudio } from '../../../lib/studio-context';
import classes from './shell.module.css';

/** Shows the current product and switches to another one. */
export function ProductSwitcher() {
  const { t } = useTranslation('studio');
  const { user, products } = useStudio();
  const isEditor = useIsEditor();
  const paths = usePaths();
  const { id } = useParams();
  const kind = kindInPath(useLocation().pathname);
  if (!user.creator || products.length === 0) return null;
  const current = products.find((product) => product.id === Number(id) && product.kind === kind);
  const name = current?.name ?? t('switcher.none');
  const button = (
    <>
      {current && <img src={current.picture} alt="" className={classes.thumb} width={40} height={40} />}
      <span>{name}</span>
      <ChevronDownIcon />
    </>
  );
  return (
    <DropDown className={classes.switcher} label={t('switcher.label', { name })} button={button}>
      {products.map((product) => (
        <Link key={`${product.kind}-${product.id}`} to={paths.product(product)} className={dropDownItem}>
          <img src={product.picture} alt="" width={32} height={32} />
          {product.name}
        </Link>
      ))}
      {isEditor && (
        <Link to={paths.createProduct} className={dropDownItem}>
          <PlusIcon />
          {t('switcher.create')}
        </Link>
      )}
    </DropDown>
  );
}
