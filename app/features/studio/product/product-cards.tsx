import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { type Currency, formatMoney } from '~/server/base/money';
import type { CoverUrls } from '~/server/domain/media/rules';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import classes from './product.module.css';

type Product = {
  id: number;
  kind: KindName;
  name: string;
  allEpisodesCount: number;
  cover: CoverUrls;
  priceMinor: number | null;
  currency: Currency;
};

/** Products as cards with covers. */
export function ProductCards({ products }: { products: Product[] }) {
  const { t } = useTranslation('product');
  const paths = usePaths();
  const priceOf = usePrice();
  return (
    <ul className={classes.cards}>
      {products.map((product) => (
        <li key={`${product.kind}-${product.id}`}>
          <Link to={paths.product(product)} className={classes.card} prefetch="intent">
            <img
              src={product.cover.webp[320]}
              srcSet={`${product.cover.webp[320]} 320w, ${product.cover.webp[640]} 640w`}
              sizes="(min-width: 48em) 240px, 50vw"
              alt=""
              width={320}
              height={320}
              loading="lazy"
            />
            <strong>{product.name}</strong>
            <span>
              {t(`kind.${KINDS[product.kind].noun}`)} · {t('episodes', { count: product.allEpisodesCount })}
              {priceOf(product)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function usePrice() {
  const { t, locale } = useTranslation('product');
  return ({ kind, priceMinor: minor, currency }: Product) =>
    minor === null
      ? null
      : ` · ${t(`preview.price.${KINDS[kind].sale}`, { amount: formatMoney({ minor, currency }, locale) })}`;
}
