import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Disclosure } from '~/app/components/disclosure';
import { TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { SendingDomainView } from '~/server/domain/newsletter/sending-domains';
import { DOMAIN_LIMITS } from '~/server/limits/newsletter';
import { SendingDomain } from './sending-domain';
import classes from './sending-domains.module.css';

type Props = { domains: SendingDomainView[]; platform: string; failure?: FormFailure };

/** The domains with their records, and the form that adds one. */
export function SendingDomains({ domains, platform, failure }: Props) {
  const { t } = useTranslation('sending');
  const used = domains.find(({ isUsed }) => isUsed);
  const isFull = domains.length >= DOMAIN_LIMITS.domains;
  return (
    <Stack gap={48} mb={48}>
      {domains.map((domain) => (
        <SendingDomain
          key={domain.id}
          domain={domain}
          platform={platform}
          usedAddress={used?.address ?? platform}
          failure={failure?.values.id === String(domain.id) ? failure : undefined}
        />
      ))}
      {domains.length === 0 && (
        <Section title={t('add.title')}>
          <p className={classes.text}>{t('add.how')}</p>
          <p className={classes.text}>{t('now', { platform })}</p>
          <AddForm failure={failure} />
        </Section>
      )}
      {domains.length > 0 && !isFull && (
        <Disclosure button={t('add.another')} isOpen={failure?.values.intent === 'add'}>
          <AddForm failure={failure} isQuiet />
        </Disclosure>
      )}
    </Stack>
  );
}

function AddForm({ failure, isQuiet }: { failure?: FormFailure; isQuiet?: boolean }) {
  const { t } = useTranslation('sending');
  const initial = useMemo(() => ({ domain: '', localPart: '' }), []);
  return (
    <div className={classes.form}>
      <IntentForm intent="add" initial={initial} failure={failure} submit={t('add.submit')} quiet={isQuiet}>
        <TextField
          name="domain"
          label={t('add.domain')}
          help={t('add.domainHelp')}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          required
        />
        <TextField
          name="localPart"
          id="new-local-part"
          label={t('add.localPart')}
          help={t('add.localPartHelp')}
          autoComplete="off"
          spellCheck={false}
          required
        />
      </IntentForm>
    </div>
  );
}
