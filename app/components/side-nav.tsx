import type { ReactNode } from 'react';
import classes from './side-nav.module.css';

type Props = { label: string; links: ReactNode; children: ReactNode };

/** One of several pages of settings, beside the links to all of them, which work without JavaScript. */
export function WithSideNav({ label, links, children }: Props) {
  return (
    <div className={classes.page}>
      <nav className={classes.nav} aria-label={label}>
        {links}
      </nav>
      <div className={classes.part}>{children}</div>
    </div>
  );
}
