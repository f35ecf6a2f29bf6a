import type { ReactNode } from 'react';
import { Button } from './button';

type Props = {
  /** What the form's action is asked to do. */
  intent: string;
  /** For screen readers, in a list of rows that all have the same button. */
  label?: string;
  children: ReactNode;
};

/** Submits the form of a row. Several in one form have an intent each. */
export function IntentButton({ intent, label, children }: Props) {
  return (
    <Button type="submit" name="intent" value={intent} variant="default" size="compact-md" aria-label={label}>
      {children}
    </Button>
  );
}
