import { type ReactNode, useEffect, useState } from 'react';
import { Counter, TextAreaField } from './fields';
import fieldClasses from './fields.module.css';
import { useField } from './form-context';
import classes from './rich-text.module.css';
import { useEditor } from './use-editor';

type Labels = { bold: string; italic: string; list: string; link: string; address: string; toolbar: string };
type Props = { name: string; label: string; help?: ReactNode; maxLength: number; labels: Labels };

/**
 * A rich text editor with paragraphs, emphasis, lists and links. Without JavaScript it is a text area whose lines
 * become paragraphs.
 */
export function RichTextField(props: Props) {
  const [hydrated, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  if (!hydrated)
    return (
      <TextAreaField
        name={props.name}
        label={props.label}
        help={props.help}
        rows={8}
        maxLength={props.maxLength}
        required
      />
    );
  return <Editor {...props} />;
}

function Editor({ name, label, help, labels, maxLength }: Props) {
  const { value, error } = useField(name);
  const { element, changed, begin, act, list, paste } = useEditor(name, value);

  function link() {
    const address = window.prompt(labels.address, 'https://');
    if (address && /^(?:https?:\/\/|mailto:)\S+$/i.test(address)) act('createLink', address);
  }

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
      <div className={classes.frame} data-error={error ? true : undefined}>
        <Toolbar labels={labels} act={act} list={list} link={link} />
        {/* biome-ignore lint/a11y/useSemanticElements: a text area knows no emphasis */}
        <div
          ref={element}
          className={classes.editor}
          contentEditable
          suppressContentEditableWarning
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-labelledby={`${name}-label`}
          aria-describedby={error ? `${name}-error` : help ? `${name}-help` : undefined}
          aria-invalid={error ? true : undefined}
          data-field={name}
          onInput={changed}
          onFocus={begin}
          onPaste={paste}
        />
      </div>
      <Counter name={name} max={maxLength} />
      {error && (
        <p id={`${name}-error`} className={fieldClasses.error}>
          {error}
        </p>
      )}
    </div>
  );
}

type ToolbarProps = { labels: Labels; act: (command: string) => void; list: () => void; link: () => void };

function Toolbar({ labels, act, list, link }: ToolbarProps) {
  return (
    <div className={classes.bar} role="toolbar" aria-label={labels.toolbar}>
      <ToolButton label={labels.bold} onPress={() => act('bold')}>
        <b>B</b>
      </ToolButton>
      <ToolButton label={labels.italic} onPress={() => act('italic')}>
        <i>I</i>
      </ToolButton>
      <ToolButton label={labels.list} onPress={list}>
        •
      </ToolButton>
      <ToolButton label={labels.link} onPress={link}>
        <u>A</u>
      </ToolButton>
    </div>
  );
}

/** `mousedown` is prevented because it would move the selection out of the text. */
function ToolButton({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
