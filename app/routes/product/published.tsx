import { Button } from '~/app/components/button';
import { EmptyState, MicrophonePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { EmbedCodeSection } from '~/app/features/site/embed/embed-code-section';
import { FirstPublish } from '~/app/features/studio/distribution/first-publish';
import { outcomeOf } from '~/app/features/studio/distribution/publish-outcome';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useLoaderData } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { roleMay } from '~/server/policy/roles';

/**
 * Says what happened to the first published episode of a show, and offers the next steps. The studio opens this page
 * once; later, users can open its URL. Before, it shows the episode that is scheduled first.
 */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [product, { role }] = await Promise.all([api.products.forEditing(ref), api.accounts.me()]);
  const query = { productId: ref.id, kind: ref.kind, pageSize: 1, ordering: 'release_date' } as const;
  const [all, coming, open, trailers] = await Promise.all([
    api.episodes.list({ ...query, status: 'published' }),
    api.episodes.list({ ...query, status: 'scheduled' }),
    api.episodes.list({ ...query, status: 'published', type: 'public' }),
    api.episodes.list({ ...query, status: 'published', type: 'trailer' }),
  ]);
  const [published, scheduled] = [all.items[0], coming.items[0]];
  const episode = published ?? scheduled;
  if (published && roleMay(role, 'product.manage')) await api.products.seeFirstPublish(ref);
  const { domain } = product.creator;
  const t = translator(context.language, 'distribution');
  const { name } = product;
  return {
    title: t(published ? 'published.title' : scheduled ? 'published.titleScheduled' : 'published.titlePlain', { name }),
    product,
    outcome: episode ? outcomeOf(episode) : null,
    /** Trailers only make people curious. */
    hasEpisode: published !== undefined && all.total > trailers.total,
    /** Whether people who don't subscribe can hear anything. */
    isOpen: open.total + trailers.total > 0,
    embedUrl: context.urls.embed('product', product.id),
    pageUrl: context.urls.product(domain, product.slug),
  };
});

export const meta = titleMeta;

export default function Published() {
  const { t } = useTranslation('distribution');
  const { title, product, outcome, isOpen, hasEpisode, pageUrl, embedUrl } = useLoaderData<typeof loader>();
  const isEditor = useIsEditor();
  const paths = usePaths();
  const back = <Link to={paths.product(product)}>{product.name}</Link>;
  if (outcome !== null) {
    return (
      <FirstPublish
        title={title}
        product={product}
        outcome={outcome}
        isOpen={isOpen}
        hasEpisode={hasEpisode}
        pageUrl={pageUrl}
      >
        {isOpen && <EmbedCodeSection type="product" url={embedUrl} name={product.name} />}
      </FirstPublish>
    );
  }
  const create = isEditor && (
    <Button component={Link} to={paths.createEpisode(product)}>
      {t('published.create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('published.titlePlain')} back={back} />
      <EmptyState picture={<MicrophonePicture />} title={t('published.titlePlain')} action={create}>
        {t('published.none', { name: product.name })}
      </EmptyState>
    </>
  );
}
