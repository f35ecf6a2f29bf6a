import type { MetaFunction } from '@remix-run/node';
import { data } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { type Done, OwnEmails } from '~/app/features/listener/emails/own-emails';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { contactLinkOf, ownDataHref } from '~/app/lib/own-emails-link';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const messagesOf = ({ url }: Door) => ({ token: url.searchParams.get('messages') ?? '' });
const isAboutMessages = ({ url }: Door) => url.searchParams.has('messages');

/**
 * The target of the link in each email of a creator: the person's own page, or the end of messages to a buyer. Opening it
 * changes nothing, because mail scanners also open links.
 */
export const loader = page(async (door) => {
  const t = translator(door.context.language, 'contact');
  const title = t('unsubscribe.title');
  const none = { title, emails: null, own: null, dataHref: '' };
  try {
    if (isAboutMessages(door))
      return { ...none, emails: t('unsubscribe.messages', await door.api.buyers.sender(messagesOf(door))) };
    const own = await door.api.audience.ownContact(contactLinkOf(door.url));
    const title = translator(door.context.language, 'own-emails')('title', { creator: own.creator.name });
    return { ...none, title, own, dataHref: ownDataHref(door.url) };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return none;
  }
});

/** Ends the emails that the link belongs to. Email apps also call it, without cookies (RFC 8058). */
async function unsubscribe(door: Door): Promise<Done> {
  const link = contactLinkOf(door.url);
  if (isAboutMessages(door)) await door.api.buyers.stopMessages(messagesOf(door));
  else if (link.of === 'show') await door.api.notifications.unsubscribe({ token: link.token });
  else await door.api.audience.leaveNewsletter(link);
  return link.of === 'show' ? 'show_off' : 'newsletter';
}

export const action = form(
  sectionAction<Done>({
    '': unsubscribe,
    all: async ({ api, url }) => {
      await api.audience.stopAllEmails(contactLinkOf(url));
      return 'all';
    },
    show: async ({ api, url }, { productId = '', wants = '' }) => {
      await api.audience.chooseShow({ ...contactLinkOf(url), productId, wants });
      return wants === 'true' ? 'show_on' : 'show_off';
    },
    save: async ({ api, url }, { language, isTracked = 'false' }) => {
      await api.audience.saveChoices({ ...contactLinkOf(url), language: language as never, isTracked });
      return 'saved';
    },
    erase: async ({ api, url }, { hasConfirmed = 'false' }) => {
      await api.audience.eraseOwnContact({ ...contactLinkOf(url), hasConfirmed });
      return 'erased';
    },
  }),
  { then: (done) => data({ ok: true as const, done }) as never },
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
  const { emails, own, dataHref } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true; done: Done } | undefined;
  if (own) return <OwnEmails own={own} result={result} dataHref={dataHref} />;
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
