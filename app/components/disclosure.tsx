import type { ReactNode } from 'react';
import classes from './disclosure.module.css';

type Props = { button: string; isOpen?: boolean; isDangerous?: boolean; children: ReactNode };

/** A button that shows the effects of an action and its form. It works without JavaScript. */
export function Disclosure({ button, isOpen, isDangerous, children }: Props) {
  return (
    <details className={classes.disclosure} open={isOpen}>
      <summary data-dangerous={isDangerous || undefined}>{button}</summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
}
