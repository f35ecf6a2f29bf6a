import type { ReactNode } from 'react';
import classes from './pill.module.css';

export type Tone = 'good' | 'coming' | 'waiting' | 'bad' | 'plain';

/** A state as a word with a coloured dot: of an episode, a show or a person. */
export function Pill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.pill} data-tone={tone}>
      {children}
    </span>
  );
}
