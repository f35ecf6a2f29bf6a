import { Link } from '@remix-run/react';
import { usePublicPaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { CoverPicture } from './cover-picture';
import { CreatorShell } from './creator-shell';
import type { ShownCreator, ShownProduct } from './page-data.server';

/** Who this is, and what they make. */
export function CreatorPage({ shown }: { shown: { creator: ShownCreator; products: ShownProduct[] } }) {
  const { t } = useTranslation('public');
  const { creator, products } = shown;
  const head = (
    <div className="creator-intro">
      <h1>{creator.about?.title || creator.name}</h1>
      {creator.about && <p className="lead">{creator.about.text}</p>}
    </div>
  );
  return (
    <CreatorShell creator={creator} head={head}>
      <section className="section" aria-labelledby="products">
        <h2 id="products">{t('products')}</h2>
        {products.length === 0 ? <p className="muted">{t('products.none')}</p> : <Shelf products={products} />}
      </section>
    </CreatorShell>
  );
}

function Shelf({ products }: { products: ShownProduct[] }) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  return (
    <ul className="shelf">
      {products.map((product, i) => (
        <li key={product.slug}>
          <Link to={paths.product(product.slug)} prefetch="intent">
            <CoverPicture cover={product.cover} alt="" wide={320} first={i === 0} />
            <h3>{product.name}</h3>
            <p className="facts">
              <span>{t(`kind.${product.kind}`)}</span>
              <span>{t('episodes.count', { count: product.episodesCount })}</span>
            </p>
          </Link>
        </li>
      ))}
    </ul>
  );
}
