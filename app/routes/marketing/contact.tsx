import { data, type MetaFunction } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainTextArea, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { sitePageMetadata } from '~/app/features/site/blog/text-metadata.server';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { CONTACT_LIMITS } from '~/server/limits/support';

/** Fills in a logged-in user's name and address. */
export const loader = page(async (door) => {
  const { api, context } = door;
  const { language, settings, urls, actor } = context;
  const t = translator(language, 'contact');
  const user = actor.type === 'user' ? await api.accounts.me() : null;
  return {
    sender: { name: user?.name, email: user?.email },
    operator: settings.operator,
    links: siteLinks(door),
    metadata: await sitePageMetadata(
      door,
      { title: t('title'), description: t('description'), pathIn: (prefix) => pathsIn(prefix).contact },
      {
        '@type': 'ContactPage',
        name: t('title'),
        url: urls.app(pathsIn(`/${language}`).contact),
        inLanguage: language,
      },
    ),
  };
});

export const action = form(({ api }, values) => api.support.sendMessage(values as never), {
  then: () => data({ ok: true as const }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Contact() {
  const { t } = useTranslation('contact');
  const paths = useSitePaths();
  const { operator, links } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  const isSent = result?.ok === true;
  return (
    <SiteShell links={links}>
      <div className="wrap form-page">
        <h1>{t(isSent ? 'sent' : 'title')}</h1>
        <p className="muted" role={isSent ? 'status' : undefined}>
          {t(isSent ? 'sentText' : 'lead')}
        </p>
        <p>
          {/* a document of its own, because the operator may have a help centre elsewhere */}
          <a href={paths.help}>{t('help')}</a>
        </p>
        {!isSent && <ContactForm failure={result?.ok ? undefined : result} />}
        <p className="form-foot muted">
          {t('direct', { operator: operator.name })} <a href={`mailto:${operator.email}`}>{operator.email}</a>
        </p>
      </div>
    </SiteShell>
  );
}

function ContactForm({ failure }: { failure?: FormFailure }) {
  const { t } = useTranslation('contact');
  const { sender } = useLoaderData<typeof loader>();
  return (
    <AuthForm failure={failure} submit={t('submit')}>
      <PlainTextField
        name="name"
        label={t('name')}
        autoComplete="name"
        maxLength={ACCOUNT_LIMITS.nameLength}
        defaultValue={sender.name}
        required
      />
      <PlainTextField
        name="email"
        type="email"
        label={t('email')}
        help={t('emailHelp')}
        autoComplete="email"
        defaultValue={sender.email}
        required
      />
      <PlainTextField name="subject" label={t('subject')} maxLength={CONTACT_LIMITS.subjectLength} required />
      <PlainTextArea name="text" label={t('text')} rows={7} maxLength={CONTACT_LIMITS.textLength} required />
    </AuthForm>
  );
}
