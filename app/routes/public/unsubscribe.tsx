import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AuthForm } from '~/app/features/auth/auth-form';
import { SiteShell } from '~/app/features/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const linkOf = ({ url }: Door) => ({ token: url.searchParams.get('token') ?? '' });

/** The target of the link in emails about new episodes. Opening it changes nothing: mail scanners open links as well. */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'contact')('unsubscribe.title');
  try {
    return { title, emails: await door.api.notifications.unsubscription(linkOf(door)) };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, emails: null };
  }
});

/** Also called by mail programs themselves, without cookies (RFC 8058). */
export const action = form((door) => door.api.notifications.unsubscribe(linkOf(door)), {
  then: () => data({ ok: true as const }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function UnsubscribePage() {
  const { t } = useTranslation('contact');
  const { emails } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  const isDone = result?.ok === true;
  const text = emails ? (isDone ? 'unsubscribe.doneText' : 'unsubscribe.lead') : 'unsubscribe.invalid';
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(isDone ? 'unsubscribe.done' : 'unsubscribe.title')}</h1>
        <p className="lead" role={isDone ? 'status' : undefined}>
          {t(text, { ...emails })}
        </p>
        {emails && !isDone && (
          <AuthForm failure={result?.ok ? undefined : result} submit={t('unsubscribe.confirm')}>
            {null}
          </AuthForm>
        )}
      </div>
    </SiteShell>
  );
}
