import { Alert } from '~/app/components/alert';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { SellerAccountView } from '~/server/domain/payouts/seller-account';
import { type PayoutProof, ProofField } from './payout-section';
import { SectionForm } from './section-form';
import classes from './settings.module.css';

type Account = NonNullable<SellerAccountView['account']>;
type Props = { proof: PayoutProof; hasPasskey: boolean; failure?: FormFailure };

const EMPTY = { code: '', currentPassword: '' };
const DASHBOARD = 'https://dashboard.stripe.com/account/onboarding';

/** Explains what changes with the creator's own account, and has the button that leads to Stripe. */
export function ConnectSection(props: Props) {
  const { t } = useTranslation('account');
  return (
    <ProvenForm {...props} intent="connect" title={t('stripe.connect')} submit={t('stripe.connect')}>
      <p className={classes.name}>{t('stripe.short')}</p>
      <details className={classes.more}>
        <summary>{t('stripe.more')}</summary>
        <ul>
          {(['what', 'fees', 'kept', 'vat'] as const).map((line) => (
            <li key={line}>{t(`stripe.${line}`)}</li>
          ))}
        </ul>
      </details>
    </ProvenForm>
  );
}

/** The state of the account, and the details that Stripe still needs. */
export function AccountSection({ account, running }: { account: Account; running: number }) {
  const { t, locale } = useTranslation('account');
  const timeZone = useCreatorTimeZone();
  const { accountId, status, email, connectedAt, missing, payoutsEnabled } = account;
  const isActive = status === 'active';
  return (
    <Section title={t('stripe.account')}>
      <Alert color={isActive ? 'green' : 'yellow'} variant="light" title={t(`stripe.status.${status}`)}>
        {t(`stripe.status.${status}.what`)}
      </Alert>
      <p className={classes.name}>
        {t('stripe.connectedSince', { date: formatDateTime(connectedAt, locale, timeZone) })} <code>{accountId}</code>
        {email && <> ({email})</>}
      </p>
      <p className={classes.name}>{t('stripe.running', { count: running })}</p>
      {isActive && !payoutsEnabled && <p className={classes.name}>{t('stripe.noPayouts')}</p>}
      {missing.length > 0 && <Missing missing={missing} />}
    </Section>
  );
}

const DETAILS = ['external_account', 'tos_acceptance', 'individual', 'company', 'business_profile', 'other'] as const;
const detailOf = (code: string) => DETAILS.find((name) => code.startsWith(name)) ?? 'other';

function Missing({ missing }: Pick<Account, 'missing'>) {
  const { t } = useTranslation('account');
  return (
    <>
      <p className={classes.name}>{t('stripe.missing')}</p>
      <ul>
        {[...new Set(missing.map(detailOf))].map((name) => (
          <li key={name}>{t(`stripe.missing.${name}`)}</li>
        ))}
      </ul>
      <p className={classes.name}>
        <a href={DASHBOARD} rel="noreferrer" target="_blank">
          {t('stripe.complete')}
        </a>
      </p>
    </>
  );
}

/** An earlier account that is no longer connected. */
export function FormerAccount({ account, running }: { account: Account; running: number }) {
  const { t, locale } = useTranslation('account');
  const timeZone = useCreatorTimeZone();
  const { accountId, disconnectedAt, disconnectedBy } = account;
  const date = disconnectedAt ? formatDateTime(disconnectedAt, locale, timeZone) : '';
  return (
    <Section title={t('stripe.former')}>
      <p className={classes.name}>
        {t('stripe.disconnectedOn', { date })} <code>{accountId}</code>
      </p>
      {disconnectedBy === 'provider' && running > 0 && (
        <Alert color="yellow" variant="light">
          {t('stripe.lost', { count: running })}
        </Alert>
      )}
      {disconnectedBy === 'creator' && running > 0 && (
        <p className={classes.name}>{t('stripe.ending', { count: running })}</p>
      )}
    </Section>
  );
}

export function DisconnectSection({ running, ...props }: Props & { running: number }) {
  const { t } = useTranslation('account');
  return (
    <ProvenForm {...props} intent="disconnect" title={t('stripe.disconnect')} submit={t('stripe.disconnect')} destroys>
      <p className={classes.name}>{t('stripe.disconnect.new')}</p>
      {running > 0 && <p className={classes.name}>{t('stripe.disconnect.running', { count: running })}</p>}
      <p className={classes.name}>{t('stripe.disconnect.kept')}</p>
    </ProvenForm>
  );
}

type ProvenProps = Props & {
  intent: string;
  title: string;
  submit: string;
  destroys?: boolean;
  children: React.ReactNode;
};

/** A form that asks for the second factor or, without one, for the password. */
function ProvenForm({ proof, hasPasskey, failure, children, ...form }: ProvenProps) {
  const { t } = useTranslation('account');
  const paths = usePaths();
  if (proof === 'missing')
    return (
      <Section title={form.title}>
        {children}
        <Alert color="blue" variant="light">
          {t('payout.passwordFirst')} <Link to={paths.security}>{t('password.set')}</Link>
        </Alert>
      </Section>
    );
  return (
    <SectionForm {...form} initial={EMPTY} failure={failure}>
      {children}
      <ProofField proof={proof} hasPasskey={hasPasskey} />
    </SectionForm>
  );
}
