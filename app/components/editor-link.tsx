import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { toLinkAddress } from './link-address';
import classes from './rich-text.module.css';

type Props = { editor: Editor; onClose: () => void };

/** Edits the address of the link at the cursor, or of the selected text. Shown below the toolbar. */
export function EditorLink({ editor, onClose }: Props) {
  const { t } = useTranslation('studio');
  const [typed, setTyped] = useState<string>(editor.getAttributes('link').href ?? '');
  const [isWrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => void input.current?.focus(), []);

  function close() {
    onClose();
    editor.commands.focus();
  }

  function apply() {
    const href = toLinkAddress(typed);
    if (href === null) return setWrong(true);
    const chain = editor.chain().focus().extendMarkRange('link');
    // without a selection, the address becomes the text
    if (editor.state.selection.empty && !editor.isActive('link')) {
      const link = { type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] };
      // text typed after the link does not belong to it
      chain.insertContent(link).unsetMark('link').run();
    } else chain.setLink({ href }).run();
    onClose();
  }

  /** Enter would submit the surrounding form. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') apply();
    else close();
  }

  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  }

  return (
    <div className={classes.link}>
      <label>
        <span>{t('editor.address')}</span>
        <input
          ref={input}
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          value={typed}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? 'editor-link-error' : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <button type="button" onClick={apply}>
        {t('editor.apply')}
      </button>
      {editor.isActive('link') && (
        <button type="button" onClick={remove}>
          {t('editor.unlink')}
        </button>
      )}
      <button type="button" onClick={close}>
        {t('editor.cancel')}
      </button>
      {isWrong && (
        <p id="editor-link-error" role="alert">
          {t('editor.wrongAddress')}
        </p>
      )}
    </div>
  );
}
