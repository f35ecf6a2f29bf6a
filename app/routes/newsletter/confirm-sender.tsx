import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const linkOf = ({ url }: Door) => ({ token: url.searchParams.get('token') ?? '' });

/**
 * The target of the link that verifies the address for answers to a newsletter. Mail scanners open it, too, so only the
 * button verifies.
 */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'editions')('sender.title');
  try {
    return { title, link: await door.api.newsletter.senderLink(linkOf(door)) };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, link: null };
  }
});

export const action = form((door) => door.api.newsletter.confirmSender(linkOf(door)), {
  then: () => data({ ok: true as const }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function ConfirmNewsletterSender() {
  const { t } = useTranslation('editions');
  const paths = usePaths();
  const { link } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  const isDone = result?.ok || link?.isVerified;
  const names = { email: link?.email ?? '', newsletter: link?.newsletter ?? '' };
  const text = t(link ? (isDone ? 'sender.done' : 'sender.lead') : 'sender.expired', names);
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('sender.title')}</h1>
        <p className="lead" role={isDone ? 'status' : undefined} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </p>
        {link && !isDone ? (
          <AuthForm failure={result?.ok ? undefined : result} submit={t('sender.confirm')}>
            {null}
          </AuthForm>
        ) : (
          <Link className="button" to={paths.home}>
            {t('sender.home')}
          </Link>
        )}
      </div>
    </SiteShell>
  );
}
