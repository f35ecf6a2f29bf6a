import type { ReactNode } from 'react';
import classes from './section-title.module.css';

/** The title of a section below the page's own title. `id` names the section for screen readers. */
export function SectionTitle({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <h2 id={id} className={classes.title}>
      {children}
    </h2>
  );
}
