import { type ClipboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { cursorIn, putCursor } from './cursor';
import { TextAreaField } from './fields';
import fieldClasses from './fields.module.css';
import { useField, useFieldSetters } from './form-context';
import { isBlankHtml, paragraphsOf, safeHtml, writtenIn } from './rich-text';
import classes from './rich-text.module.css';

type Words = { bold: string; italic: string; list: string; link: string; address: string; toolbar: string };
type Props = { name: string; label: string; help?: ReactNode; maxLength: number; words: Words };

/** Text with paragraphs, emphasis, lists and links. Without scripts it is a plain text area, whose lines become paragraphs. */
export function RichTextField(props: Props) {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  if (!alive)
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

function Editor({ name, label, help, words }: Props) {
  const { value, error } = useField(name);
  const { set } = useFieldSetters(name);
  const element = useRef<HTMLDivElement>(null);
  const written = useRef<string | null>(null);

  // only what comes from elsewhere (a draft, another episode) is put in: the cursor must not jump while one types
  useEffect(() => {
    if (!element.current || value === written.current) return;
    written.current = value;
    element.current.innerHTML = safeHtml(/<[a-z]/i.test(value) ? value : paragraphsOf(value));
  }, [value]);

  function changed() {
    if (!element.current) return;
    written.current = writtenIn(element.current);
    set(written.current);
  }

  function act(command: string, argument?: string) {
    element.current?.focus();
    // the one editing command set that every browser has, undo included
    document.execCommand(command, false, argument);
    changed();
  }

  /** Browsers move the text into the list, and the cursor to its beginning. */
  function list() {
    const at = element.current ? cursorIn(element.current) : 0;
    act('insertUnorderedList');
    if (element.current) putCursor(element.current, at);
  }

  function link() {
    const address = window.prompt(words.address, 'https://');
    if (address && /^(?:https?:\/\/|mailto:)\S+$/i.test(address)) act('createLink', address);
  }

  /** The first line is a paragraph like all others: a list made of bare text would lose the cursor. */
  function begin() {
    document.execCommand('defaultParagraphSeparator', false, 'p');
    if (!element.current || !isBlankHtml(element.current.innerHTML)) return;
    element.current.innerHTML = '<p><br></p>';
    window.getSelection()?.collapse(element.current.firstChild, 0);
  }

  function paste(event: ClipboardEvent) {
    event.preventDefault();
    const html = event.clipboardData.getData('text/html');
    act('insertHTML', html ? safeHtml(html) : paragraphsOf(event.clipboardData.getData('text/plain')));
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
        <div className={classes.bar} role="toolbar" aria-label={words.toolbar}>
          <Tool label={words.bold} onPress={() => act('bold')}>
            <b>B</b>
          </Tool>
          <Tool label={words.italic} onPress={() => act('italic')}>
            <i>I</i>
          </Tool>
          <Tool label={words.list} onPress={list}>
            •
          </Tool>
          <Tool label={words.link} onPress={link}>
            <u>A</u>
          </Tool>
        </div>
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
      {error && (
        <p id={`${name}-error`} className={fieldClasses.error}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A press must not take the selection away from the text. */
function Tool({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
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
