import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { OPERATOR_LIMITS } from '~/server/limits/operators';
import classes from './admin.module.css';

type Hidden = Record<string, string | number>;
type Props = { intent: string; label?: string; hidden?: Hidden; children: ReactNode };

const Fields = ({ hidden = {} }: { hidden?: Hidden }) =>
  Object.entries(hidden).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);

/**
 * A button for actions that can be repeated or undone, so one click is enough. `label` names the row for screen readers
 * if several rows have this button.
 */
export function RowButton({ intent, label, hidden, children }: Props) {
  return (
    <Form method="post" className={classes.short}>
      <Fields hidden={hidden} />
      <IntentButton intent={intent} label={label}>
        {children}
      </IntentButton>
    </Form>
  );
}

type Confirmed = Props & { title: string; effects: string; needsReason?: boolean };

/** A form that states the effects before it submits. If it asks for a reason, the affected people read that reason. */
export function ConfirmedForm({ intent, hidden, title, label, effects, needsReason = false, children }: Confirmed) {
  const { t } = useTranslation('admin');
  return (
    <Disclosure button={title} label={label} isDangerous>
      <Form method="post" className={classes.stacked}>
        <Fields hidden={hidden} />
        <p>{effects}</p>
        {needsReason && (
          <TextInput name="reason" label={t('reason')} maxLength={OPERATOR_LIMITS.reasonLength} required w="100%" />
        )}
        <IntentButton intent={intent} isDangerous>
          {children}
        </IntentButton>
      </Form>
    </Disclosure>
  );
}
