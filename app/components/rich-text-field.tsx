import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Counter, TextAreaField } from './fields';
import fieldClasses from './fields.module.css';
import { useField } from './form-context';
import classes from './rich-text.module.css';
import type { EditorProps } from './rich-text-editor';

type Props = { name: string; label: string; help?: ReactNode; maxLength: number; required?: boolean };

/**
 * A rich text editor with paragraphs, headings, emphasis, lists, quotations and links. Its code loads when the field is
 * shown. Until then, and without JavaScript, users type into a text area whose lines become paragraphs.
 */
export function RichTextField({ name, label, help, maxLength, required }: Props) {
  const { error, value } = useField(name);
  const { Editor, hasFailed } = useLoadedEditor();
  const isHtml = value.startsWith('<') && !hasFailed;
  if (!Editor)
    return (
      <div className={isHtml ? classes.loading : undefined}>
        <TextAreaField name={name} label={label} help={help} rows={8} maxLength={maxLength} required={required} />
      </div>
    );
  return (
    <div>
      <span id={`${name}-label`} className={fieldClasses.legend}>
        {label}
      </span>
      {help && (
        <p id={`${name}-help`} className={fieldClasses.help}>
          {help}
        </p>
      )}
      <input type="hidden" name={name} value={value} />
      <Editor
        name={name}
        labelledBy={`${name}-label`}
        describedBy={error ? `${name}-error` : help ? `${name}-help` : undefined}
      />
      <Counter name={name} max={maxLength} />
      {error && (
        <p id={`${name}-error`} className={fieldClasses.error}>
          {error}
        </p>
      )}
    </div>
  );
}

/** If loading fails, for example offline, the text area stays. */
function useLoadedEditor() {
  const [Editor, setEditor] = useState<ComponentType<EditorProps> | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isShown = true;
    import('./rich-text-editor').then(
      ({ RichTextEditor }) => isShown && setEditor(() => RichTextEditor),
      () => isShown && setFailed(true),
    );
    return () => {
      isShown = false;
    };
  }, []);
  return { Editor, hasFailed };
}
