import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** Links in emails about new episodes have a `token`, and links in a creator's newsletter have a `list`. */
function linkOf({ url }: Door) {
  const list = url.searchParams.get('list');
  return list === null ? { isList: false, token: url.searchParams.get('token') ?? '' } : { isList: true, token: list };
}

/** Describes the subscription that the link would end. */
async function describe(door: Door): Promise<string> {
  const t = translator(door.context.language, 'contact');
  const { isList, token } = linkOf(door);
  if (isList) return t('unsubscribe.newsletter', await door.api.audience.leaving({ token }));
  return t('unsubscribe.lead', await door.api.notifications.unsubscription({ token }));
}

/** The target of the link in optional emails. Opening it changes nothing, because mail scanners also open links. */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'contact')('unsubscribe.title');
  try {
    return { title, emails: await describe(door) };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, emails: null };
  }
});

/** Email apps also call this, without cookies (RFC 8058). */
export const action = form(
  (door) => {
    const { isList, token } = linkOf(door);
    return isList ? door.api.audience.leaveNewsletter({ token }) : door.api.notifications.unsubscribe({ token });
  },
  { then: () => data({ ok: true as const }) as never },
);

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
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(isDone ? 'unsubscribe.done' : 'unsubscribe.title')}</h1>
        <p className="lead" role={isDone ? 'status' : undefined}>
          {emails ?? t('unsubscribe.invalid')}
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
