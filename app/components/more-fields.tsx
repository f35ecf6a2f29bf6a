import type { ReactNode } from 'react';
import { FieldDetails } from './field-details';
import classes from './more-fields.module.css';

type Props = { summary: string; fields: readonly string[]; children: ReactNode };

/** Fields that most forms leave empty, behind their summary. `fields`: their names. */
export function MoreFields({ summary, fields, children }: Props) {
  return (
    <FieldDetails fields={fields} className={classes.more}>
      <summary>{summary}</summary>
      <div className={classes.fields}>{children}</div>
    </FieldDetails>
  );
}
