import classes from '~/app/components/part-head.module.css';
import { useTranslation } from '~/app/lib/translation';
import { numberFormat } from '~/server/base/formats';
import { formatMoney, type Money } from '~/server/base/money';
import { KINDS, type KindName } from '~/server/domain/products/kinds';

/** `revenue`: one amount for each currency; null for members who don't see money, and for free shows. */
export type ShowFigures = { plays: number; revenue: Money[] | null };
type Product = { kind: KindName; isFree: boolean; subscribersCount: number | null; episodesCount: number };

/** Three numbers: the audience, its plays, and what it pays. */
export function Figures({ product, figures }: { product: Product; figures: ShowFigures }) {
  const { t, locale } = useTranslation('product');
  const { buyers, sale } = KINDS[product.kind];
  const number = numberFormat(locale);
  const { plays, revenue } = figures;
  const third =
    revenue === null
      ? { name: t('figure.published'), value: number.format(product.episodesCount) }
      : {
          name: t(`figure.revenue.${sale}`),
          value: revenue.map((money) => formatMoney(money, locale)).join(' + '),
        };
  const all = [
    {
      name: t(`tabs.${product.isFree ? 'followers' : buyers}`),
      value: number.format(product.subscribersCount ?? 0),
    },
    { name: t('figure.plays'), value: number.format(plays) },
    third,
  ];
  return (
    <dl className={classes.figures}>
      {all.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
