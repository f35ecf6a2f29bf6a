import type { MetaFunction } from '@remix-run/node';
import { FeedPreviewForm } from '~/app/features/site/marketing/feed-preview-form';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** Where the form of the home page leads when it fails. */
export const loader = page((door) => ({
  title: translator(door.context.language, 'arrival')('form.title'),
  links: siteLinks(door),
}));

export const action = form(({ api }, { url = '' }) => api.imports.previewShow({ url }), {
  then: ({ token }, { url }) => pathsFor(url).previewedFeed(token),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function FeedPreview() {
  const { t } = useTranslation('arrival');
  const { title, links } = useLoaderData<typeof loader>();
  return (
    <SiteShell links={links}>
      <div className="wrap form-page">
        <h1>{title}</h1>
        <p className="muted">{t('form.lead')}</p>
        <FeedPreviewForm failure={useActionData<FormFailure>()} />
      </div>
    </SiteShell>
  );
}
