import type { ChainedCommands, Editor } from '@tiptap/core';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { EditorLink } from './editor-link';
import { LinkIcon } from './line-icons';
import classes from './rich-text.module.css';

type Tool = {
  name: string;
  face: ReactNode;
  isOn?: (editor: Editor) => boolean;
  isOff?: (editor: Editor) => boolean;
  run: (chain: ChainedCommands) => ChainedCommands;
};

const TOOLS: Tool[] = [
  { name: 'bold', face: <b>B</b>, isOn: (e) => e.isActive('bold'), run: (c) => c.toggleBold() },
  { name: 'italic', face: <i>I</i>, isOn: (e) => e.isActive('italic'), run: (c) => c.toggleItalic() },
  {
    name: 'heading',
    face: 'H',
    isOn: (e) => e.isActive('heading'),
    run: (c) => c.toggleHeading({ level: 3 }),
  },
  { name: 'list', face: '•', isOn: (e) => e.isActive('bulletList'), run: (c) => c.toggleBulletList() },
  { name: 'numbers', face: '1.', isOn: (e) => e.isActive('orderedList'), run: (c) => c.toggleOrderedList() },
  { name: 'quote', face: '“”', isOn: (e) => e.isActive('blockquote'), run: (c) => c.toggleBlockquote() },
  { name: 'undo', face: '↶', isOff: (e) => !e.can().undo(), run: (c) => c.undo() },
  { name: 'redo', face: '↷', isOff: (e) => !e.can().redo(), run: (c) => c.redo() },
];

/**
 * Buttons for the formats of the selected text. The toolbar is one stop of the Tab key, and the arrow keys move between
 * its buttons (ARIA toolbar pattern).
 */
export function RichTextToolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslation('studio');
  const [current, setCurrent] = useState(0);
  const [linking, setLinking] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const buttons = [...TOOLS.map((tool) => toolProps(tool, editor)), linkProps(editor, linking, setLinking)];

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = step === 'first' ? 0 : step === 'last' ? buttons.length - 1 : current + step;
    const index = (next + buttons.length) % buttons.length;
    setCurrent(index);
    bar.current?.querySelectorAll('button')[index]?.focus();
  }

  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label={t('editor.toolbar')} ref={bar} onKeyDown={move}>
        {buttons.map(({ name, face, ...props }, index) => (
          <button
            {...props}
            key={name}
            type="button"
            aria-label={t(`editor.${name}`)}
            title={t(`editor.${name}`)}
            tabIndex={index === current ? 0 : -1}
            // a click must not remove the selection from the text
            onMouseDown={(event) => event.preventDefault()}
            onFocus={() => setCurrent(index)}
          >
            {face}
          </button>
        ))}
      </div>
      {linking && <EditorLink editor={editor} onClose={() => setLinking(false)} />}
    </>
  );
}

const STEPS: Record<string, number | 'first' | 'last'> = { ArrowRight: 1, ArrowLeft: -1, Home: 'first', End: 'last' };

function toolProps({ name, face, isOn, isOff, run }: Tool, editor: Editor) {
  return {
    name,
    face,
    'aria-pressed': isOn?.(editor),
    // `disabled` would take the focus from the keyboard
    'aria-disabled': isOff?.(editor) || undefined,
    onClick: () => void run(editor.chain().focus()).run(),
  };
}

function linkProps(editor: Editor, linking: boolean, setLinking: (open: boolean) => void) {
  return {
    name: 'link',
    face: <LinkIcon />,
    'aria-pressed': editor.isActive('link'),
    'aria-expanded': linking,
    onClick: () => setLinking(!linking),
  };
}
