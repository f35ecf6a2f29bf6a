import type { ReactNode } from 'react';
import classes from './disclosure.module.css';

type Props = {
  button: string;
  /** Read by screen readers, in a list of rows that all have the same button. */
  label?: string;
  isOpen?: boolean;
  isDangerous?: boolean;
  children: ReactNode;
};

/** A button that shows the effects of an action and its form. It works without JavaScript. */
export function Disclosure({ button, label, isOpen, isDangerous, children }: Props) {
  return (
    <details className={classes.disclosure} open={isOpen}>
      <summary data-dangerous={isDangerous || undefined} aria-label={label}>
        {button}
      </summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
}
