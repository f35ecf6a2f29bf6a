import { useMemo } from 'react';
import { CheckField, CustomField, SelectField, TextField } from '~/app/components/fields';
import { useField } from '~/app/components/form-context';
import { SectionForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import { ENDPOINT_KINDS, WEBHOOK_EVENTS, type WebhookEvent } from '~/db/values/webhook-events';
import type { EndpointView } from '~/server/domain/webhooks/endpoints';
import { eventsFor } from '~/server/domain/webhooks/kinds';
import { WEBHOOK_LIMITS } from '~/server/limits/webhooks';
import { boxOf } from './event-boxes';
import classes from './webhooks.module.css';

type Props = { endpoint?: EndpointView; failure?: FormFailure };

/** The form of a new endpoint, or of one that is changed: its kind stays. */
export function EndpointForm({ endpoint, failure }: Props) {
  const { t } = useTranslation('webhooks');
  const initial = useMemo(() => valuesOf(endpoint), [endpoint]);
  const act = endpoint ? 'change' : 'new';
  const kinds = ENDPOINT_KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }));
  return (
    <SectionForm
      intent={endpoint ? 'change' : 'create'}
      title={t(`${act}.title`)}
      initial={initial}
      failure={failure}
      submit={t(`${act}.submit`)}
      quiet={endpoint !== undefined}
      startsEmpty={endpoint === undefined}
    >
      {!endpoint && <SelectField name="kind" label={t('new.kind')} choices={kinds} />}
      <TextField
        name="url"
        label={t('new.url')}
        help={t('new.urlHelp')}
        maxLength={WEBHOOK_LIMITS.urlLength}
        type="url"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        name="description"
        label={t('new.description')}
        help={t('new.descriptionHelp')}
        maxLength={WEBHOOK_LIMITS.descriptionLength}
        autoComplete="off"
      />
      <EventBoxes isKindFixed={endpoint !== undefined} />
    </SectionForm>
  );
}

/** The events of the chosen kind; without JavaScript, all of them as long as the kind can be chosen. */
function EventBoxes({ isKindFixed }: { isKindFixed: boolean }) {
  const { t } = useTranslation('webhooks');
  const { value } = useField('kind');
  const isHydrated = useHydrated();
  const isKnown = isKindFixed || isHydrated;
  const kind = isKnown ? (ENDPOINT_KINDS.find((one) => one === value) ?? 'webhook') : 'webhook';
  const help = kind === 'webhook' ? 'new.eventsOfProgram' : 'new.eventsOfChat';
  return (
    <CustomField name="events" label={t('new.events')} help={t(isKnown ? help : 'new.eventsHelp')}>
      <div className={classes.boxes}>
        {eventsFor(kind).map((type) => (
          <CheckField key={type} name={boxOf(type)} label={t(`event.${type}`)} />
        ))}
      </div>
    </CustomField>
  );
}

function valuesOf(endpoint?: EndpointView): Record<string, string> {
  const isChosen = (type: WebhookEvent) => String(endpoint?.events?.includes(type) ?? false);
  return {
    ...{
      kind: endpoint?.kind ?? 'webhook',
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      events: '',
    },
    ...Object.fromEntries(WEBHOOK_EVENTS.map((type) => [boxOf(type), isChosen(type)])),
  };
}
