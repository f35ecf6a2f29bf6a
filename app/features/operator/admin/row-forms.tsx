import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IntentButton } from '~/app/components/intent-button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { OPERATOR_LIMITS } from '~/server/limits/operators';
import classes from './admin.module.css';

type Hidden = Record<string, string | number>;
type Props = { intent: string; label?: string; hidden?: Hidden; children: ReactNode };

const Fields = ({ hidden = {} }: { hidden?: Hidden }) =>
  Object.entries(hidden).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);

/** One click, for what can be repeated or undone. `label`: for screen readers, where several rows have the button. */
export function RowButton({ intent, label, hidden, children }: Props) {
  return (
    <Form method="post">
      <Fields hidden={hidden} />
      <IntentButton intent={intent} label={label}>
        {children}
      </IntentButton>
    </Form>
  );
}

type Confirmed = Props & { title: string; effects: string; needsReason?: boolean };

/** Opens first, and says what will happen. With a reason, those who are concerned read it. */
export function ConfirmedForm({ intent, hidden, title, label, effects, needsReason = false, children }: Confirmed) {
  const { t } = useTranslation('admin');
  return (
    <details className={classes.more}>
      <summary aria-label={label}>{title}</summary>
      <Form method="post">
        <Fields hidden={hidden} />
        <p>{effects}</p>
        {needsReason && (
          <TextInput name="reason" label={t('reason')} maxLength={OPERATOR_LIMITS.reasonLength} required w="100%" />
        )}
        <IntentButton intent={intent}>{children}</IntentButton>
      </Form>
    </details>
  );
}
