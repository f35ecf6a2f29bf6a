import type { ReactNode } from 'react';
import classes from './tabs.module.css';

/** Links to the parts of a page, which work without JavaScript. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
