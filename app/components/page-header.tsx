import type { ReactNode } from 'react';
import classes from './page-header.module.css';

/** A screen's title, a line below it, and its one obvious act. */
export function PageHeader({
  title,
  lead,
  action,
  back,
}: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  back?: ReactNode;
}) {
  return (
    <header className={classes.head}>
      <div className={classes.words}>
        {back && <p className={classes.back}>{back}</p>}
        <h1 className={classes.title}>{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
      </div>
      {action}
    </header>
  );
}

/** A part of a long form, named at its head. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2 className={classes.sectionTitle}>{title}</h2>
      {children}
    </section>
  );
}

/** What a form needs JavaScript for. */
export function NeedsScript({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <p className={classes.done}>{children}</p>
    </noscript>
  );
}
