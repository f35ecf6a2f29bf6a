import type { ReactNode } from 'react';
import classes from './more-fields.module.css';

/** Fields that most forms leave empty, behind their summary. */
export function MoreFields({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className={classes.more}>
      <summary>{summary}</summary>
      <div className={classes.fields}>{children}</div>
    </details>
  );
}
