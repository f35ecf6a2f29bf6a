import { Button } from '~/app/components/button';
import classes from '~/app/components/part-head.module.css';
import { SharePanel } from '~/app/components/share-panel';
import { TakeDownNotice } from '~/app/components/take-down-notice';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { TakeDown } from '~/db/values/take-downs';
import { type Currency, formatMoney } from '~/server/base/money';
import type { CoverUrls } from '~/server/domain/media/rules';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import { ShowState } from './show-state';

type Product = {
  id: number;
  kind: KindName;
  name: string;
  cover: CoverUrls;
  allEpisodesCount: number;
  episodesCount: number;
  priceMinor: number | null;
  annualPriceMinor: number | null;
  currency: Currency;
  archivedAt: Date | null;
  freeConversionAt: Date | null;
  takeDown: TakeDown | null;
};

type Props = { product: Product; pageUrl: string; feedUrl: string };

/** The show's cover, name, state and price above its tabs, the links to share, and the next episode. */
export function ShowHead({ product, pageUrl, feedUrl }: Props) {
  const { t } = useTranslation('product');
  const may = useMay();
  const paths = usePaths();
  return (
    <>
      <header className={classes.head}>
        <img src={product.cover.webp[320]} alt="" width={96} height={96} />
        <div className={classes.words}>
          <h1 dir="auto">{product.name}</h1>
          <Facts product={product} />
        </div>
        <div className={classes.acts}>
          {may('episode.manage') && (
            <Button component={Link} to={paths.createEpisode(product)}>
              {t('show.newEpisode')}
            </Button>
          )}
          <SharePanel name={product.name} pageUrl={pageUrl} feedUrl={feedUrl} />
        </div>
      </header>
      <Notices product={product} />
    </>
  );
}

function Facts({ product }: { product: Product }) {
  const { t } = useTranslation('product');
  const price = usePriceOf(product);
  return (
    <ul className={classes.facts}>
      <li>
        <ShowState product={product} />
      </li>
      <li>{t(`kind.${KINDS[product.kind].noun}`)}</li>
      <li>{price}</li>
      <li>{t('episodes', { count: product.allEpisodesCount })}</li>
    </ul>
  );
}

function usePriceOf({ kind, priceMinor, annualPriceMinor, currency }: Product): string {
  const { t, locale } = useTranslation('product');
  if (priceMinor === null) return t('price.free');
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const price = t(`preview.price.${KINDS[kind].sale}`, { amount: money(priceMinor) });
  return annualPriceMinor === null ? price : `${price} ${t('preview.annual', { amount: money(annualPriceMinor) })}`;
}

/** Notices for the team about facts that listeners can see. */
function Notices({ product }: { product: Product }) {
  const { t } = useTranslation('product');
  const may = useMay();
  const paths = usePaths();
  return (
    <>
      {product.takeDown && <TakeDownNotice of="show" takeDown={product.takeDown} />}
      {product.archivedAt && <p className={classes.notice}>{t('show.archived')}</p>}
      {product.freeConversionAt && (
        <p className={classes.notice}>
          {t('show.becomingFree')}{' '}
          {may('product.price') && <Link to={paths.freeProduct(product)}>{t('show.becomingFreeLink')}</Link>}
        </p>
      )}
    </>
  );
}
