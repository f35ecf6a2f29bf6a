import '~/app/styles/product.css';
import '~/app/styles/show.css';
import '~/app/styles/previewed-show.css';
import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { FeedPreviewForm } from '~/app/features/site/marketing/feed-preview-form';
import { previewedShowData } from '~/app/features/site/marketing/previewed-show-data.server';
import { PreviewedShowPage } from '~/app/features/site/marketing/previewed-show-page';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(previewedShowData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.title} · Altavoz` },
  { name: 'robots', content: 'noindex, nofollow' },
  // the address is a secret; 'no-referrer' would also hide the origin of the forms in the header and the footer
  { name: 'referrer', content: 'same-origin' },
];

export default function PreviewedFeed() {
  const { t } = useTranslation('arrival');
  const { title, links, show } = useLoaderData<typeof loader>();
  const { feedPreview } = usePaths();
  if (show) return <PreviewedShowPage show={show} links={links} />;
  return (
    <SiteShell links={links}>
      <div className="wrap form-page">
        <h1>{title}</h1>
        <p className="lead">{t('expired.text')}</p>
        <FeedPreviewForm action={feedPreview} />
      </div>
    </SiteShell>
  );
}
