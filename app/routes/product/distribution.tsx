import { TabLead } from '~/app/components/page-header';
import { EmbedCodeSection } from '~/app/features/site/embed/embed-code-section';
import { DirectoryForm } from '~/app/features/studio/distribution/directory-form';
import classes from '~/app/features/studio/distribution/distribution.module.css';
import { FeedAddress } from '~/app/features/studio/distribution/feed-address';
import { ReadinessReport } from '~/app/features/studio/distribution/readiness-report';
import { withRuleTexts } from '~/app/features/studio/distribution/readiness-texts.server';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { updateListings } from '~/server/domain/products/schema';

/** The directories that list the show, how to get listed, and whether the feed is ready. */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [product, readiness, wasImported] = await Promise.all([
    api.products.forEditing(ref),
    api.feeds.readiness(ref),
    api.imports.hasOldFeed({ productId: ref.id }),
  ]);
  return {
    title: `${translator(context.language, 'distribution')('title')}: ${product.name}`,
    product,
    wasImported,
    embedUrl: context.urls.embed('product', product.id),
    feedUrl: context.urls.feed(product.creator.domain, product.slug),
    readiness: withRuleTexts(context.language, readiness, { publishedCount: product.episodesCount }),
  };
});

/** Saves the listings, or sends the link to the feed's owner again. */
export const action = form(
  async (door, values) => {
    const ref = productRef(door);
    if (values.intent === 'owner') await door.api.products.resendOwnerEmail(ref);
    else
      await door.api.products.updateListings(
        toInput(updateListings, { ...values, id: String(ref.id), kind: ref.kind }, ['id', 'kind']),
      );
    return { ref, done: values.intent === 'owner' ? 'verification_sent' : 'listings_saved' };
  },
  { then: ({ ref, done }, { url }) => withDoneMessage(pathsFor(url).distribution(ref), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Distribution() {
  const { t } = useTranslation('distribution');
  const { product, wasImported, feedUrl, embedUrl, readiness } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <TabLead title={t('title')} help="distribution">
        {t('lead')}
      </TabLead>
      <div className={classes.page}>
        <FeedAddress product={product} feedUrl={feedUrl} failure={failure} />
        {wasImported && (
          <p>
            {t('old.imported')} <Link to={paths.oldFeed(product)}>{t('old.open')}</Link>
          </p>
        )}
        {!product.archivedAt && <EmbedCodeSection type="product" url={embedUrl} name={product.name} />}
        <ReadinessReport product={product} readiness={readiness} />
        <DirectoryForm key={product.id} product={product} failure={failure} />
        {product.priceMinor !== null && (
          <p>
            {t('paid.notInFeed')} <Link to={paths.spotify}>{t('paid.spotify')}</Link>
          </p>
        )}
      </div>
    </>
  );
}
