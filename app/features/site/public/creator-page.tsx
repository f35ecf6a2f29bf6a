import type { Packed } from '~/app/lib/packed';
import { Link } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';
import { CoverPicture } from './cover-picture';
import type { CreatorSections } from './creator-page-data.server';
import { CallToAction, DonationSection, PageLinks, Testimonials } from './creator-sections';
import { CreatorShell } from './creator-shell';
import { EpisodeList } from './episode-list';
import { LinkedText } from './linked-text';
import { NewsletterSection } from './newsletter-form';
import type { CreatorCard, ListedEpisode, ProductCard } from './page-data.server';

type CreatorView = {
  creator: CreatorCard;
  products: ProductCard[];
  latest: Packed<ListedEpisode[]> | null;
  sections: CreatorSections;
};

/** A creator's page: introduction, shows, and latest episodes. */
export function CreatorPage({ view }: { view: CreatorView }) {
  const { t } = useTranslation('public');
  const { creator, products, latest, sections } = view;
  const { callToAction, testimonials, links, username, hasNewsletter, donation } = sections;
  const head = (
    <div className="creator-intro">
      <Avatar creator={creator} />
      <div>
        <h1 dir="auto">{creator.name}</h1>
        {username && <p className="muted">@{username}</p>}
        {creator.about?.title && <h2 dir="auto">{creator.about.title}</h2>}
        {creator.about && (
          <p className="lead" dir="auto">
            <LinkedText parts={creator.about.text} />
          </p>
        )}
        {links.length > 0 && <PageLinks links={links} title={t('creator.links')} />}
      </div>
    </div>
  );
  return (
    <CreatorShell creator={creator} head={head} isOwnPage isReportable>
      {callToAction && <CallToAction call={callToAction} />}
      <section className="section" aria-labelledby="products">
        <h2 id="products">{t('products')}</h2>
        {products.length === 0 ? <p className="muted">{t('products.none')}</p> : <ProductGrid products={products} />}
      </section>
      {latest && (
        <section className="section narrow" aria-labelledby="latest">
          <h2 id="latest">{t('latest')}</h2>
          <EpisodeList episodes={latest} />
        </section>
      )}
      {testimonials.length > 0 && <Testimonials list={testimonials} title={t('creator.testimonials')} />}
      {donation && <DonationSection donation={donation} />}
      {hasNewsletter && <NewsletterSection creator={creator.name} />}
    </CreatorShell>
  );
}

/** Phones show the picture at 88 px. */
function Avatar({ creator: { avatar, avatarSmall } }: { creator: CreatorCard }) {
  if (!avatar) return null;
  return (
    <img
      className="avatar"
      src={avatar}
      srcSet={`${avatarSmall} 96w, ${avatar} 320w`}
      sizes="clamp(88px, 12vw, 144px)"
      alt=""
      width={144}
      height={144}
    />
  );
}

function ProductGrid({ products }: { products: ProductCard[] }) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  return (
    <ul className="covers">
      {products.map((product, i) => (
        <li key={product.slug}>
          <Link to={paths.product(product.slug)} prefetch="intent">
            <CoverPicture cover={product.cover} alt="" wide={320} first={i === 0} />
            <h3 {...inLanguage(product.language)}>{product.name}</h3>
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
