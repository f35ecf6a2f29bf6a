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

/** The target of the link that undoes a deletion. Only the button undoes it, because mail scanners also open links. */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'auth')('undo.title');
  try {
    await door.api.accounts.undoDeletionLink(linkOf(door));
    return { title, works: true };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, works: false };
  }
});

export const action = form((door) => door.api.accounts.undoDeletion(linkOf(door)), {
  then: () => data({ ok: true as const }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function UndoDeletion() {
  const { t } = useTranslation('auth');
  const paths = usePaths();
  const { works } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  const isDone = result?.ok === true;
  const isReady = works && !isDone;
  const lead = isReady ? 'undo.lead' : isDone ? 'undo.doneText' : 'undo.expiredText';
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(isReady ? 'undo.title' : isDone ? 'undo.done' : 'undo.expired')}</h1>
        <p className="lead" role={isDone ? 'status' : undefined}>
          {t(lead)}
        </p>
        {isReady ? (
          <AuthForm failure={result?.ok ? undefined : result} submit={t('undo.confirm')}>
            {null}
          </AuthForm>
        ) : (
          <Link className="button" to={isDone ? paths.dashboard : paths.contact}>
            {t(isDone ? 'undo.next' : 'undo.contact')}
          </Link>
        )}
      </div>
    </SiteShell>
  );
}
