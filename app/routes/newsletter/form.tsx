import { data, type MetaFunction, redirect } from '@remix-run/node';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { NewsletterForm } from '~/app/features/site/public/newsletter-form';
import { domainOf, toCreatorCard, urlsOnThisHost } from '~/app/features/site/public/page-data.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import { type FormFailure, form } from '~/app/lib/doors.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** The action of the newsletter form on a creator's page, with its answer and its errors. */
export const loader = creatorsPage(async ({ api, context, params, request }) => {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const result = await api.pages.creator({ domain });
  if (result.moved) throw redirect(urlsOnThisHost(request).creator);
  if (!result.creator.hasNewsletter) throw notFound();
  const { name, tracksReaders } = result.creator;
  return {
    tracksReaders,
    creator: toCreatorCard(result.creator),
    title: translator(context.language, 'newsletter')('form.title', { name }),
  };
});

type SentForm = { ok: true; email: string };

/** The answer does not reveal whether the address is known. */
export const action = form(
  async ({ api, context, params }, { email = '', isTracked, website, openFor }): Promise<SentForm> => {
    const signs = { isTracked, website, openFor: openFor || undefined };
    await api.audience.joinNewsletter({ domain: domainOf(context, params.handle) ?? '', email, ...signs });
    return { ok: true, email: email.trim() };
  },
  { then: (sent) => data(sent) as never },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? 'Altavoz' },
  { name: 'robots', content: 'noindex' },
];

export default function NewsletterFormPage() {
  const { t } = useTranslation('newsletter');
  const { creator, title, tracksReaders } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | SentForm | undefined;
  const paths = usePublicPaths();
  const { name } = creator;
  return (
    <CreatorShell creator={creator} head={null}>
      <div className="form-page">
        {result?.ok ? (
          <>
            <h1>{t('form.sent')}</h1>
            <p className="lead" role="status">
              {t('form.sentText', { email: result.email })}
            </p>
          </>
        ) : (
          <>
            <h1 dir="auto">{title}</h1>
            <p className="lead" dir="auto">
              {t('form.lead', { name })}
            </p>
            <NewsletterForm creator={name} tracksReaders={tracksReaders} failure={result} />
          </>
        )}
        <p className="form-foot">
          <Link to={paths.creator}>{t('form.back', { name })}</Link>
        </p>
      </div>
    </CreatorShell>
  );
}
