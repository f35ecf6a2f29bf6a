import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { ExternalLinkIcon } from '~/app/components/line-icons';
import { TakeDownNotice } from '~/app/components/take-down-notice';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { TakeDown } from '~/db/values/take-downs';
import type { CoverUrls } from '~/server/domain/media/rules';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import { categoryName } from './category-choices';
import classes from './product.module.css';

type Props = {
  product: {
    id: number;
    kind: KindName;
    name: string;
    description: string;
    category: number;
    cover: CoverUrls;
    allEpisodesCount: number;
    archivedAt: Date | null;
    freeConversionAt: Date | null;
    takeDown: TakeDown | null;
  };
  pageUrl: string;
  feedUrl: string;
};

/** A product's cover, name, actions, public page and feed. */
export function ProductHeader({ product, pageUrl, feedUrl }: Props) {
  const { t, language } = useTranslation('product');
  return (
    <header className={classes.head}>
      <img src={product.cover.webp[320]} alt="" width={176} height={176} />
      <div className={classes.words}>
        <h1>{product.name}</h1>
        <p>
          {t(`kind.${KINDS[product.kind].noun}`)} · {categoryName(product.category, language)} ·{' '}
          {t('episodes', { count: product.allEpisodesCount })}
        </p>
        <p className={classes.about}>{product.description}</p>
        <div className={classes.acts}>
          <SectionButtons product={product} />
          <Button
            component="a"
            href={pageUrl}
            target="_blank"
            rel="noreferrer"
            variant="default"
            rightSection={<ExternalLinkIcon />}
          >
            {t('show.publicPage')}
          </Button>
        </div>
        <ProductNotices product={product} />
        <div className={classes.copied}>
          <span>{t('show.page')}</span>
          <code>{pageUrl}</code>
          <CopyButton text={pageUrl} label={t('show.copy')} done={t('show.copied')} />
        </div>
        <div className={classes.copied}>
          <span>{t('show.feed')}</span>
          <code>{feedUrl}</code>
          <CopyButton text={feedUrl} label={t('show.copy')} done={t('show.copied')} />
        </div>
      </div>
    </header>
  );
}

/** Links to the show's own pages that the member's role may open. */
function SectionButtons({ product }: { product: Props['product'] }) {
  const { t } = useTranslation('product');
  const may = useMay();
  const paths = usePaths();
  return (
    <>
      {may('episode.manage') && (
        <Button component={Link} to={paths.createEpisode(product)}>
          {t('show.newEpisode')}
        </Button>
      )}
      {may('product.manage') && (
        <>
          <Button component={Link} to={paths.editProduct(product)} variant="default">
            {t('show.edit')}
          </Button>
          <Button component={Link} to={paths.distribution(product)} variant="default">
            {t('show.distribution')}
          </Button>
        </>
      )}
      {may('product.readBuyers') && (
        <Button component={Link} to={paths.buyers(product)} variant="default">
          {t(`show.${KINDS[product.kind].buyers}`)}
        </Button>
      )}
      {may('product.price') && KINDS[product.kind].contentType === 'recurring' && (
        <Button component={Link} to={paths.pauses(product)} variant="default">
          {t('pauses.title')}
        </Button>
      )}
      {may('episode.read') && (
        <Button component={Link} to={paths.promotions(product)} variant="default">
          {t('show.promos')}
        </Button>
      )}
    </>
  );
}

/** Notices for the team about facts that listeners can see. */
function ProductNotices({ product }: { product: Props['product'] }) {
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
