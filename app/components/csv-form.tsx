import type { ReactNode } from 'react';
import { Form, useNavigation } from '~/app/lib/router';
import { Button } from './button';
import { FileDrop } from './file-drop';
import page from './file-page.module.css';

type Props = {
  /** Of the file's field. */
  id: string;
  name: string;
  label: string;
  help: string;
  submit: string;
  problem: string | null;
  /** Fields before the file. */
  children?: ReactNode;
};

/** Uploads a CSV file. It is a plain form, so it works the same without JavaScript. */
export function CsvForm({ id, name, label, help, submit, problem, children }: Props) {
  const { state } = useNavigation();
  return (
    <Form method="post" encType="multipart/form-data" className={page.form}>
      {problem && (
        <p className={page.problem} role="alert" id={`${id}-error`}>
          {problem}
        </p>
      )}
      <input type="hidden" name="intent" value="upload" />
      {children}
      <div>
        <label htmlFor={id} className={page.label}>
          {label}
        </label>
        <p className={page.soft}>{help}</p>
        <FileDrop
          id={id}
          name={name}
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          required
          describedBy={problem ? `${id}-error` : undefined}
        />
      </div>
      <div>
        <Button type="submit" loading={state === 'submitting'}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}
