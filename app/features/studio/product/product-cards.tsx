import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { numberFormat } from '~/server/base/formats';
import { type Currency, formatMoney } from '~/server/base/money';
import type { CoverUrls } from '~/server/domain/media/rules';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import classes from './product.module.css';
import { ShowState, type StateFacts } from './show-state';

type Product = {
  id: number;
  kind: KindName;
  name: string;
  allEpisodesCount: number;
  cover: CoverUrls;
  priceMinor: number | null;
  currency: Currency;
  isFree: boolean;
  subscribersCount: number | null;
} & StateFacts;

/** `plays`: of four weeks, by product id; null for members who don't read statistics. */
type Props = { products: Product[]; plays?: Map<number, number> | null };

/** Products as cards with covers, their state, and how many people they reach. */
export function ProductCards({ products, plays = null }: Props) {
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
            <Audience product={product} plays={plays && (plays.get(product.id) ?? 0)} />
            <ShowState product={product} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Audience({ product, plays }: { product: Product; plays: number | null }) {
  const { t, locale } = useTranslation('product');
  const people = product.isFree ? 'followers' : KINDS[product.kind].buyers;
  const number = numberFormat(locale);
  return (
    <dl className={classes.audience}>
      <dt>{t(`tabs.${people}`)}</dt>
      <dd>{number.format(product.subscribersCount ?? 0)}</dd>
      {plays !== null && (
        <>
          <dt>{t('figure.plays')}</dt>
          <dd>{number.format(plays)}</dd>
        </>
      )}
    </dl>
  );
}

function usePrice() {
  const { t, locale } = useTranslation('product');
  return ({ kind, priceMinor: minor, currency }: Product) =>
    minor === null
      ? null
      : ` · ${t(`preview.price.${KINDS[kind].sale}`, { amount: formatMoney({ minor, currency }, locale) })}`;
}
