import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** The emails that a link ends: its parameter tells its purpose. `describe`: what it would end. */
type Link = { describe(): Promise<string>; end(): Promise<unknown> };

function linkOf({ url, api, context }: Door): Link {
  const t = translator(context.language, 'contact');
  const list = url.searchParams.get('list');
  const messages = url.searchParams.get('messages');
  if (list !== null) {
    const link = { token: list };
    return {
      describe: async () => t('unsubscribe.newsletter', await api.audience.leaving(link)),
      end: () => api.audience.leaveNewsletter(link),
    };
  }
  if (messages !== null) {
    const link = { token: messages };
    return {
      describe: async () => t('unsubscribe.messages', await api.buyers.sender(link)),
      end: () => api.buyers.stopMessages(link),
    };
  }
  const link = { token: url.searchParams.get('token') ?? '' };
  return {
    describe: async () => t('unsubscribe.lead', await api.notifications.unsubscription(link)),
    end: () => api.notifications.unsubscribe(link),
  };
}

/** The target of the link in optional emails. Opening it changes nothing, because mail scanners also open links. */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'contact')('unsubscribe.title');
  try {
    return { title, emails: await linkOf(door).describe() };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, emails: null };
  }
});

/** Email apps also call this, without cookies (RFC 8058). */
export const action = form((door) => linkOf(door).end(), { then: () => data({ ok: true as const }) as never });

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
