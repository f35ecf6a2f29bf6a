import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '~/app/lib/translation';
import classes from './rich-text.module.css';

export type PanelProps = { editor: Editor; onClose: () => void };

type Props = PanelProps & {
  onApply: () => void;
  canApply?: boolean;
  /** Removes what the panel is about. */
  remove?: { label: string; run: () => void };
  children: ReactNode;
};

/** Fields about the selection, below the toolbar. The first one has the focus. */
export function EditorPanel({ editor, onApply, onClose, canApply = true, remove, children }: Props) {
  const { t } = useTranslation('studio');
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('input, select, button')?.focus();
  }, []);

  function close() {
    onClose();
    editor.commands.focus();
  }

  /** Enter would submit the surrounding form. */
  function onKeyDown(event: KeyboardEvent) {
    const isField = event.target instanceof HTMLInputElement && event.target.type !== 'file';
    if (event.key !== 'Escape' && !(event.key === 'Enter' && isField)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') close();
    else if (canApply) onApply();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles keys of the fields inside
    <div className={classes.link} ref={panel} onKeyDown={onKeyDown}>
      {children}
      <button type="button" onClick={onApply} disabled={!canApply}>
        {t('editor.apply')}
      </button>
      {remove && (
        <button type="button" onClick={remove.run}>
          {remove.label}
        </button>
      )}
      <button type="button" onClick={close}>
        {t('editor.cancel')}
      </button>
    </div>
  );
}
