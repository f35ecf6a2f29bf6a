import { Button } from '~/app/components/button';
import { EmptyState, MicrophonePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { EmbedCodeSection } from '~/app/features/site/embed/embed-code-section';
import { FirstPublish } from '~/app/features/studio/distribution/first-publish';
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
 * Congratulates on the first published episode of a show and offers the next steps. The studio opens this page once;
 * later, users can open its URL.
 */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [product, { role }] = await Promise.all([api.products.forEditing(ref), api.accounts.me()]);
  const query = { productId: ref.id, kind: ref.kind, status: 'published', pageSize: 1 } as const;
  const [episode] = (await api.episodes.list({ ...query, ordering: 'release_date' })).items;
  if (episode && roleMay(role, 'product.manage')) await api.products.seeFirstPublish(ref);
  const { domain } = product.creator;
  const t = translator(context.language, 'distribution');
  return {
    title: episode ? t('published.title', { name: product.name }) : t('published.titlePlain'),
    product,
    episode: episode?.name ?? null,
    embedUrl: context.urls.embed('product', product.id),
    pageUrl: context.urls.product(domain, product.slug),
  };
});

export const meta = titleMeta;

export default function Published() {
  const { t } = useTranslation('distribution');
  const { product, episode, pageUrl, embedUrl } = useLoaderData<typeof loader>();
  const isEditor = useIsEditor();
  const paths = usePaths();
  const back = <Link to={paths.product(product)}>{product.name}</Link>;
  if (episode !== null) {
    return (
      <FirstPublish product={product} episode={episode} pageUrl={pageUrl}>
        <EmbedCodeSection type="product" url={embedUrl} name={product.name} />
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
