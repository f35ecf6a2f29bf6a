import type { ReactNode } from 'react';
import { Button } from './button';

type Props = {
  /** The name of the action that the form requests. */
  intent: string;
  /** Read by screen readers, in a list of rows that all have the same button. */
  label?: string;
  isDangerous?: boolean;
  children: ReactNode;
};

/** Submits the form of a row. If a form has several such buttons, each has its own intent. */
export function IntentButton({ intent, label, isDangerous, children }: Props) {
  return (
    <Button
      type="submit"
      name="intent"
      value={intent}
      variant={isDangerous ? 'outline' : 'default'}
      color={isDangerous ? 'red' : undefined}
      size="compact-md"
      aria-label={label}
    >
      {children}
    </Button>
  );
}
