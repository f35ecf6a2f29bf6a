import { data, type MetaFunction } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import {
  PlainCheckField,
  PlainSelectField,
  PlainTextArea,
  PlainTextField,
} from '~/app/features/listener/auth/plain-fields';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { REPORT_REASONS } from '~/db/values/support';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { REPORT_LIMITS } from '~/server/limits/support';

/** `?page=https://…`: the page that the report is about. If it is missing or unknown, the form asks for the address. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const title = translator(context.language, 'contact')('report.title');
  const user = context.actor.type === 'user' ? await api.accounts.me() : null;
  const address = (url.searchParams.get('page') ?? '').slice(0, REPORT_LIMITS.addressLength);
  return {
    title,
    links: siteLinks(door),
    address,
    reported: await reportedAt(door, address),
    reporter: { name: user?.name, email: user?.email },
  };
});

/** The name of the page at an address; null if no page is there. */
async function reportedAt({ api, context }: Door, address: string): Promise<string | null> {
  const found = context.addressOf(address);
  if (!found) return null;
  try {
    return (await api.support.viewReported({ page: found })).name;
  } catch (error) {
    if (context.describeError(error).status >= 500) throw error;
    return null;
  }
}

export const action = form(
  ({ api, context }, { page: address = '', ...values }) =>
    api.support.reportAbuse({ ...values, page: context.addressOf(address.trim()) } as never),
  { then: () => data({ ok: true as const }) as never },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function ReportPage() {
  const { t } = useTranslation('contact');
  const { title, links, reported } = useLoaderData<typeof loader>();
  const paths = useSitePaths();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  if (result?.ok)
    return (
      <SiteShell links={links}>
        <div className="wrap form-page">
          <h1>{t('report.sent')}</h1>
          <p className="muted" role="status">
            {t('report.sentText')}
          </p>
        </div>
      </SiteShell>
    );
  return (
    <SiteShell links={links}>
      <div className="wrap form-page">
        <h1>{title}</h1>
        {reported && (
          <p className="lead">
            <bdi>{reported}</bdi>
          </p>
        )}
        <p className="muted">{t('report.lead')}</p>
        <ReportForm failure={result} />
        <p className="form-foot muted">
          {t('report.other')} <a href={paths.contact}>{t('report.contact')}</a>
        </p>
      </div>
    </SiteShell>
  );
}

function ReportForm({ failure }: { failure?: FormFailure }) {
  const { t } = useTranslation('contact');
  const { address, reported, reporter } = useLoaderData<typeof loader>();
  return (
    <AuthForm failure={failure} submit={t('report.submit')}>
      {reported !== null && !failure?.fields.page ? (
        <input type="hidden" name="page" value={address} />
      ) : (
        <PlainTextField
          name="page"
          type="url"
          label={t('report.page')}
          help={t('report.pageHelp')}
          maxLength={REPORT_LIMITS.addressLength}
          defaultValue={address}
          required
        />
      )}
      <PlainSelectField
        name="reason"
        label={t('report.reason')}
        placeholder={t('report.choose')}
        options={REPORT_REASONS.map((value) => ({ value, label: t(`report.reasons.${value}`) }))}
        required
      />
      <PlainTextArea
        name="text"
        label={t('report.text')}
        help={t('report.textHelp')}
        rows={7}
        maxLength={REPORT_LIMITS.textLength}
        required
      />
      <PlainTextField
        name="name"
        label={t('report.name')}
        autoComplete="name"
        maxLength={ACCOUNT_LIMITS.nameLength}
        defaultValue={reporter.name}
      />
      <PlainTextField
        name="email"
        type="email"
        label={t('report.email')}
        help={t('report.emailHelp')}
        autoComplete="email"
        defaultValue={reporter.email}
      />
      <PlainCheckField name="isInGoodFaith" label={t('report.goodFaith')} />
    </AuthForm>
  );
}
