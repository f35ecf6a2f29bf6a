import { useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { EditorPanel, type PanelProps } from './editor-panel';
import { toLinkAddress } from './link-address';

/** Edits the address of the link at the cursor, or of the selected text. Shown below the toolbar. */
export function EditorLink({ editor, onClose }: PanelProps) {
  const { t } = useTranslation('studio');
  const [typed, setTyped] = useState<string>(editor.getAttributes('link').href ?? '');
  const [isWrong, setWrong] = useState(false);

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

  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  }

  const removal = editor.isActive('link') ? { label: t('editor.unlink'), run: remove } : undefined;
  return (
    <EditorPanel editor={editor} onClose={onClose} onApply={apply} remove={removal}>
      <label>
        <span>{t('editor.address')}</span>
        <input
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          value={typed}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? 'editor-link-error' : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      {isWrong && (
        <p id="editor-link-error" role="alert">
          {t('editor.wrongAddress')}
        </p>
      )}
    </EditorPanel>
  );
}
