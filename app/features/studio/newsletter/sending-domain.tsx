import { useMemo } from 'react';
import { Alert } from '~/app/components/alert';
import { Disclosure } from '~/app/components/disclosure';
import { TextField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { Pill, type Tone } from '~/app/components/pill';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { SendingDomainView } from '~/server/domain/newsletter/sending-domains';
import { WARM_UP } from '~/server/limits/newsletter';
import { DomainRecord } from './domain-record';
import classes from './sending-domains.module.css';

type Props = { domain: SendingDomainView; platform: string; usedAddress: string; failure?: FormFailure };

/** One domain: whether it is in use, its records, and its settings. */
export function SendingDomain({ domain, platform, usedAddress, failure }: Props) {
  const { t } = useTranslation('sending');
  const { id, name, records, isUnanswered } = domain;
  const shown = domain.state === 'verified' && !domain.isUsed ? 'ready' : domain.state;
  return (
    <section className={classes.domain} aria-label={name}>
      <h2 className={classes.name}>
        <span dir="auto">{name}</span> <Pill tone={TONES[shown]}>{t(`state.${shown}`)}</Pill>
      </h2>
      <DomainState domain={domain} platform={platform} usedAddress={usedAddress} />
      {isUnanswered && (
        <Alert color="yellow" variant="light">
          {t('unanswered')}
        </Alert>
      )}
      <h3 className={classes.part}>{t('records')}</h3>
      <ol className={classes.records}>
        {records.map((record) => (
          <DomainRecord key={record.name} record={record} />
        ))}
      </ol>
      <p className={classes.fact}>{t('records.host', { end: `.${domain.domain}` })}</p>
      <CheckForm domain={domain} failure={failure} />
      <SenderForm domain={domain} failure={failure} />
      <Disclosure button={t('remove')} label={t('remove.submit', { domain: name })} isDangerous>
        <p className={classes.text}>{t('remove.text', { platform })}</p>
        <Form method="post">
          <input type="hidden" name="id" value={id} />
          <IntentButton intent="remove" isDangerous>
            {t('remove.submit', { domain: name })}
          </IntentButton>
        </Form>
      </Disclosure>
    </section>
  );
}

const TONES: Record<SendingDomainView['state'] | 'ready', Tone> = {
  pending: 'waiting',
  verified: 'good',
  ready: 'good',
  lost: 'bad',
};

/** From where editions leave, in words. */
function DomainState({ domain, platform, usedAddress }: Pick<Props, 'domain' | 'platform' | 'usedAddress'>) {
  const { t, locale } = useTranslation('sending');
  const { state, isUsed, isWarm, warmUp, address } = domain;
  const number = (value: number) => formatNumber(value, locale);
  const text = (key: string, values: Record<string, string | number> = {}) => (
    <p className={classes.text}>{t(`text.${key}`, { platform, address, ...values })}</p>
  );
  if (state !== 'verified') return text(state);
  if (!isUsed) return text('ready', { address: usedAddress });
  if (isWarm) return text('warm');
  if (!warmUp) return text('cold', { share: number(WARM_UP.firstDay), days: WARM_UP.days });
  const { day, days, share, reserved } = warmUp;
  return (
    <div>
      {text('warming', { day, days, share: number(share) })}
      <p className={classes.fact}>{t('text.reserved', { reserved: number(reserved), share: number(share) })}</p>
      <p className={classes.fact}>{t('text.why')}</p>
    </div>
  );
}

function CheckForm({ domain: { id, checkedAt, state }, failure }: Pick<Props, 'domain' | 'failure'>) {
  const { t, locale } = useTranslation('sending');
  const zone = useCreatorTimeZone();
  const initial = useMemo(() => ({}), []);
  return (
    <div className={classes.check}>
      <IntentForm intent="check" initial={initial} failure={failure} submit={t('check')} quiet={state === 'verified'}>
        <input type="hidden" name="id" value={id} />
        {checkedAt && (
          <p className={classes.fact}>{t('checked', { at: formatDateTime(new Date(checkedAt), locale, zone) })}</p>
        )}
      </IntentForm>
    </div>
  );
}

function SenderForm({ domain: { id, domain, name, localPart }, failure }: Pick<Props, 'domain' | 'failure'>) {
  const { t } = useTranslation('sending');
  const initial = useMemo(() => ({ localPart }), [localPart]);
  return (
    <div className={classes.form}>
      <IntentForm intent="sender" initial={initial} failure={failure} submit={t('sender.submit')} quiet>
        <input type="hidden" name="id" value={id} />
        <TextField
          name="localPart"
          id={`local-part-${domain}`}
          label={t('sender.localPart', { domain: name })}
          autoComplete="off"
          spellCheck={false}
          required
        />
      </IntentForm>
    </div>
  );
}
