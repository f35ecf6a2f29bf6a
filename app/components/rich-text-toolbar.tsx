import type { ChainedCommands, Editor } from '@tiptap/core';
import { type ComponentType, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import {
  BoldIcon,
  HeadingIcon,
  ItalicIcon,
  ListIcon,
  NumbersIcon,
  QuoteIcon,
  RedoIcon,
  UndoIcon,
} from './editor-icons';
import { EditorLink } from './editor-link';
import type { PanelProps } from './editor-panel';
import { LinkIcon } from './line-icons';
import classes from './rich-text.module.css';

/** A button that changes the text, or opens a panel below the toolbar. Its text is `editor.{name}`. */
export type Tool = {
  name: string;
  face: ReactNode;
  isOn?: (editor: Editor) => boolean;
  isOff?: (editor: Editor) => boolean;
} & ({ run: (editor: Editor) => void } | { Panel: ComponentType<PanelProps> });

/** Changes the format of the selection, which keeps the focus. */
const formats = (change: (chain: ChainedCommands) => ChainedCommands) => (editor: Editor) =>
  void change(editor.chain().focus()).run();

const LINK: Tool = { name: 'link', face: <LinkIcon />, isOn: (e) => e.isActive('link'), Panel: EditorLink };
const TOOLS: Tool[] = [
  { name: 'bold', face: <BoldIcon />, isOn: (e) => e.isActive('bold'), run: formats((c) => c.toggleBold()) },
  { name: 'italic', face: <ItalicIcon />, isOn: (e) => e.isActive('italic'), run: formats((c) => c.toggleItalic()) },
  {
    name: 'heading',
    face: <HeadingIcon />,
    isOn: (e) => e.isActive('heading'),
    run: formats((c) => c.toggleHeading({ level: 3 })),
  },
  {
    name: 'list',
    face: <ListIcon />,
    isOn: (e) => e.isActive('bulletList'),
    run: formats((c) => c.toggleBulletList()),
  },
  {
    name: 'numbers',
    face: <NumbersIcon />,
    isOn: (e) => e.isActive('orderedList'),
    run: formats((c) => c.toggleOrderedList()),
  },
  {
    name: 'quote',
    face: <QuoteIcon />,
    isOn: (e) => e.isActive('blockquote'),
    run: formats((c) => c.toggleBlockquote()),
  },
  { name: 'undo', face: <UndoIcon />, isOff: (e) => !e.can().undo(), run: formats((c) => c.undo()) },
  { name: 'redo', face: <RedoIcon />, isOff: (e) => !e.can().redo(), run: formats((c) => c.redo()) },
  LINK,
];

/** A panel that opens without its button; each new object opens it again. */
export type Opened = { panel: string };
type Props = { editor: Editor; tools?: Tool[]; opened?: Opened | null };

/**
 * Buttons for the formats of the selected text. The toolbar is one stop of the Tab key, and the arrow keys move between
 * its buttons (ARIA toolbar pattern).
 */
export function RichTextToolbar({ editor, tools = [], opened = null }: Props) {
  const { t } = useTranslation('studio');
  const [current, setCurrent] = useState(0);
  const [panel, setPanel] = useState<string | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const all = [...TOOLS, ...tools];
  const shown = all.find((tool) => tool.name === panel && 'Panel' in tool);
  useEffect(() => void (opened && setPanel(opened.panel)), [opened]);

  function use(tool: Tool) {
    if ('run' in tool) tool.run(editor);
    else setPanel(tool.name === panel ? null : tool.name);
  }

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = step === 'first' ? 0 : step === 'last' ? all.length - 1 : current + step;
    const index = (next + all.length) % all.length;
    setCurrent(index);
    bar.current?.querySelectorAll('button')[index]?.focus();
  }

  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label={t('editor.toolbar')} ref={bar} onKeyDown={move}>
        {all.map((tool, index) => (
          <button
            {...toolProps(tool, editor)}
            key={tool.name}
            type="button"
            aria-label={t(`editor.${tool.name}`)}
            title={t(`editor.${tool.name}`)}
            tabIndex={index === current ? 0 : -1}
            // a click must not remove the selection from the text
            onMouseDown={(event) => event.preventDefault()}
            aria-expanded={'Panel' in tool ? tool.name === panel : undefined}
            onClick={() => use(tool)}
            onFocus={() => setCurrent(index)}
          >
            {tool.face}
          </button>
        ))}
      </div>
      {shown && 'Panel' in shown && <shown.Panel editor={editor} onClose={() => setPanel(null)} />}
    </>
  );
}

const STEPS: Record<string, number | 'first' | 'last'> = { ArrowRight: 1, ArrowLeft: -1, Home: 'first', End: 'last' };

function toolProps({ isOn, isOff }: Tool, editor: Editor) {
  return {
    'aria-pressed': isOn?.(editor),
    // `disabled` would take the focus from the keyboard
    'aria-disabled': isOff?.(editor) || undefined,
  };
}
