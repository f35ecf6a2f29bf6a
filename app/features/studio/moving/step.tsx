import type { ReactNode } from 'react';
import classes from './moving.module.css';

/** One step of the list; the list numbers it. */
export function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={classes.step}>
      <h2 className={classes.stepTitle}>{title}</h2>
      {children}
    </li>
  );
}
