import '~/app/styles/own-emails.css';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { OwnContact } from '~/server/domain/audience/own-contact';
import { EmailTopics } from './email-topics';
import { OwnChoices } from './own-choices';
import { OwnDataSection } from './own-data-section';

/** What the last form has done. */
export type Done = 'newsletter' | 'show_off' | 'show_on' | 'all' | 'saved' | 'erased';
export type OwnEmailsResult = FormFailure | { ok: true; done: Done };

type Props = { own: OwnContact; result: OwnEmailsResult | undefined; dataHref: string };

/** What a person gets from a creator by email, with all that they can change about it. */
export function OwnEmails({ own, result, dataHref }: Props) {
  const { t } = useTranslation('own-emails');
  const { creator, email, isCurrent, choices } = own;
  const failure = result?.ok === false ? result : undefined;
  return (
    <SiteShell brand={creator.brand}>
      <div className="wrap own-emails">
        <p className="from">
          {creator.avatar && <img src={creator.avatar.webp[96]} alt="" width={48} height={48} />}
          <a href={creator.url} dir="auto">
            {creator.name}
          </a>
        </p>
        <h1 dir="auto">{t('title', { creator: creator.name })}</h1>
        <p className="lead">{t(isCurrent ? 'lead' : 'formerLead', { email, creator: creator.name })}</p>
        {result?.ok && (
          <p className="notice" role="status">
            {t(`done.${result.done}`, { creator: creator.name })}
          </p>
        )}
        {isCurrent ? <EmailTopics own={own} failure={failure} /> : <FormerAddress own={own} failure={failure} />}
        {choices && <OwnChoices choices={choices} creator={creator.name} failure={failure} />}
        {isCurrent && <OwnDataSection own={own} failure={failure} href={dataHref} />}
      </div>
    </SiteShell>
  );
}

/** Somebody else may read the former address: they can end the emails, and learn nothing. */
function FormerAddress({ own, failure }: { own: OwnContact; failure: FormFailure | undefined }) {
  const { t } = useTranslation('own-emails');
  if (own.newsletter === 'stopped') return null;
  return (
    <AuthForm failure={failure} submit={t('stopAll', { creator: own.creator.name })}>
      <input type="hidden" name="intent" value="all" />
    </AuthForm>
  );
}
