import { data, type MetaFunction } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const linkOf = ({ url }: Door) => ({ token: url.searchParams.get('token') ?? '' });

/** The target of the link in the email. Only its button confirms the address, because mail scanners also open links. */
export const loader = page(async (door) => {
  const t = translator(door.context.language, 'newsletter');
  try {
    const link = await door.api.audience.joinLink(linkOf(door));
    return { title: t('join.title', link), link };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title: t('join.expired'), link: null };
  }
});

type Done = { ok: true; email: string; creator: string; url: string };

export const action = form(
  async (door): Promise<Done> => ({ ok: true, ...(await door.api.audience.confirmJoin(linkOf(door))) }),
  { then: (done) => data(done) as never },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function JoinNewsletterPage() {
  const { t } = useTranslation('newsletter');
  const { title, link } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | Done | undefined;
  if (result?.ok)
    return (
      <SiteShell>
        <div className="wrap form-page">
          <h1>{t('join.done')}</h1>
          <p className="lead" role="status">
            {t('join.doneText', { creator: result.creator, email: result.email })}
          </p>
          <p className="form-foot">
            <a href={result.url}>{t('join.toPage', { creator: result.creator })}</a>
          </p>
        </div>
      </SiteShell>
    );
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{title}</h1>
        <p className="lead">{link ? t('join.lead', link) : t('join.expiredText')}</p>
        {link && (
          <AuthForm failure={result} submit={t('join.submit')}>
            {null}
          </AuthForm>
        )}
      </div>
    </SiteShell>
  );
}
