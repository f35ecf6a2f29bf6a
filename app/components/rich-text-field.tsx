import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Counter, TextAreaField } from './fields';
import fieldClasses from './fields.module.css';
import { useField } from './form-context';
import classes from './rich-text.module.css';
import type { EditorProps } from './rich-text-editor';

type Props = { name: string; label: string; help?: ReactNode; maxLength: number; required?: boolean };
type Load<Extras> = () => Promise<ComponentType<EditorProps & Extras>>;

const load = async () => (await import('./rich-text-editor')).RichTextEditor;

/**
 * A rich text editor with paragraphs, headings, emphasis, lists, quotations and links. Its code loads when the field is
 * shown. Until then, and without JavaScript, users type into a text area whose lines become paragraphs.
 */
export const RichTextField = (props: Props) => <EditorField {...props} rows={8} load={load} extras={{}} />;

/** The field of one of our editors. `extras` are what this editor needs besides the names of its labels. */
export function EditorField<Extras extends object>(
  props: Props & { rows: number; load: Load<Extras>; extras: Extras },
) {
  const { name, label, help, maxLength, required, rows, extras } = props;
  const { error, value } = useField(name);
  const { Editor, hasFailed } = useLoadedEditor(props.load);
  const isHtml = value.startsWith('<') && !hasFailed;
  if (!Editor)
    return (
      <div className={isHtml ? classes.loading : undefined}>
        <TextAreaField name={name} label={label} help={help} rows={rows} maxLength={maxLength} required={required} />
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
        {...extras}
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
function useLoadedEditor<Extras>(load: Load<Extras>) {
  const [Editor, setEditor] = useState<ComponentType<EditorProps & Extras> | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isShown = true;
    load().then(
      (loaded) => isShown && setEditor(() => loaded),
      () => isShown && setFailed(true),
    );
    return () => {
      isShown = false;
    };
  }, [load]);
  return { Editor, hasFailed };
}
