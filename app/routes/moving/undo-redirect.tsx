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
 * The target of the link that undoes a feed's redirect. Only the button undoes it, because mail scanners also open
 * links.
 */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'moving')('undo.title');
  try {
    return { title, link: await door.api.moving.undoLink(linkOf(door)) };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, link: null };
  }
});

export const action = form((door) => door.api.moving.undoByLink(linkOf(door)), {
  then: ({ show }) => data({ ok: true as const, show }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function UndoRedirect() {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  const { title, link } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true; show: string } | undefined;
  const done = result?.ok ? t('undo.done', { show: result.show }) : null;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{title}</h1>
        <p className="lead" role={done ? 'status' : undefined} style={{ overflowWrap: 'anywhere' }}>
          {done ?? (link ? t('undo.lead', link) : t('undo.expired'))}
        </p>
        {link && !done ? (
          <AuthForm failure={result?.ok ? undefined : result} submit={t('undo.confirm')}>
            {null}
          </AuthForm>
        ) : (
          <Link className="button" to={done ? paths.dashboard : paths.contact}>
            {t(done ? 'undo.next' : 'undo.contact')}
          </Link>
        )}
      </div>
    </SiteShell>
  );
}
