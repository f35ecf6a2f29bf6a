import { Disclosure } from '~/app/components/disclosure';
import { SelectField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { SectionForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EndpointView } from '~/server/domain/webhooks/endpoints';
import { eventsFor } from '~/server/domain/webhooks/kinds';
import { DeliveryLog, type EndpointLog } from './delivery-log';
import { endpointName } from './endpoint-address';
import { EndpointForm } from './endpoint-form';
import { EndpointState } from './endpoint-list';
import classes from './webhooks.module.css';

type Props = {
  endpoint: EndpointView;
  log: EndpointLog;
  reasons: Record<string, string>;
  /** The path of the list of all endpoints. */
  list: string;
  failure?: FormFailure;
};

/** One endpoint: its log first, because creators come to see what arrived. */
export function EndpointPage({ endpoint, log, reasons, list, failure }: Props) {
  const { t } = useTranslation('webhooks');
  const isOn = endpoint.disabledAt === null;
  const name = endpointName(endpoint);
  return (
    <div className={classes.sections}>
      <Section title={name}>
        <p>
          <Link to={list}>{t('back')}</Link>
        </p>
        <p className={classes.address}>
          <EndpointState endpoint={endpoint} /> <span>{endpoint.url}</span>
        </p>
      </Section>
      {isOn && <TestEvent endpoint={endpoint} failure={failure} />}
      <DeliveryLog
        log={log}
        endpointId={endpoint.id}
        isSigned={endpoint.kind === 'webhook'}
        isOn={isOn}
        reasons={reasons}
      />
      <div className={classes.narrow}>
        <EndpointForm endpoint={endpoint} failure={failure} />
      </div>
      {endpoint.kind === 'webhook' && <Secret endpoint={endpoint} />}
      <Manage name={name} isOn={isOn} />
    </div>
  );
}

const NO_VALUES = { type: 'episode.published' };

function TestEvent({ endpoint, failure }: Pick<Props, 'endpoint' | 'failure'>) {
  const { t } = useTranslation('webhooks');
  const isChat = endpoint.kind !== 'webhook';
  const choices = eventsFor(endpoint.kind).map((type) => ({ value: type, label: t(`event.${type}`) }));
  return (
    <div className={classes.narrow}>
      <SectionForm
        intent="test"
        title={t('test.title')}
        initial={NO_VALUES}
        failure={failure}
        submit={t('test.submit')}
      >
        <SelectField
          name="type"
          label={t('test.type')}
          help={t(isChat ? 'test.textOfChat' : 'test.text')}
          choices={choices}
        />
      </SectionForm>
    </div>
  );
}

function Secret({ endpoint: { formerUntil } }: Pick<Props, 'endpoint'>) {
  const { t, locale } = useTranslation('webhooks');
  const zone = useCreatorTimeZone();
  return (
    <Section title={t('secret.title')}>
      <p className={classes.soft}>{t('secret.replaceText')}</p>
      {formerUntil && (
        <p className={classes.soft}>
          {t('secret.both', { date: formatDateTime(new Date(formerUntil), locale, zone) })}
        </p>
      )}
      <Form method="post">
        <IntentButton intent="rotate">{t('secret.replace')}</IntentButton>
      </Form>
    </Section>
  );
}

function Manage({ name, isOn }: { name: string; isOn: boolean }) {
  const { t } = useTranslation('webhooks');
  return (
    <>
      <Section title={t('manage.title')}>
        <p className={classes.soft}>{t('switch.text')}</p>
        <Form method="post">
          <input type="hidden" name="isOn" value={String(!isOn)} />
          <IntentButton intent="switch">{t(isOn ? 'switch.off' : 'switch.on')}</IntentButton>
        </Form>
      </Section>
      <Section title={t('remove.title')}>
        <p className={classes.soft}>{t('remove.text')}</p>
        <Disclosure button={t('remove.open')} isDangerous>
          <p>{t('remove.question', { name })}</p>
          <Form method="post">
            <IntentButton intent="remove" isDangerous>
              {t('remove.submit')}
            </IntentButton>
          </Form>
        </Disclosure>
      </Section>
    </>
  );
}
