import { Editor, type Extensions } from '@tiptap/core';
import StarterKit, { type StarterKitOptions } from '@tiptap/starter-kit';
import { useEffect, useReducer, useRef, useState } from 'react';
import { isSafeLink } from '~/server/base/html';
import { useField, useFieldSetters } from './form-context';
import { cleanPastedHtml } from './pasted-html';
import { toParagraphs } from './rich-text';
import classes from './rich-text.module.css';
import { type Opened, RichTextToolbar, type Tool } from './rich-text-toolbar';

/** IDs of the elements that name and describe the field. */
export type EditorProps = { name: string; labelledBy: string; describedBy: string | undefined };

/** The formats of every editor: exactly the tags that the server allows (decision 0157). */
export function starterKit(others: Partial<StarterKitOptions> = {}) {
  return StarterKit.configure({
    heading: { levels: [3, 4] },
    codeBlock: false,
    horizontalRule: false,
    strike: false,
    dropcursor: false,
    gapcursor: false,
    trailingNode: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: (address) => isSafeLink(address),
    },
    ...others,
  });
}

const EXTENSIONS = [starterKit()];

/** The editor of notes. Loaded on demand by `RichTextField`. */
export const RichTextEditor = (props: EditorProps) => <TipTapEditor {...props} extensions={EXTENSIONS} />;

/** What an editor knows: nodes, and the buttons for those that notes do not have. They stay the same. */
type Parts = { extensions: Extensions; tools?: Tool[]; opened?: Opened | null };

/** TipTap, whose HTML is the value of a form field. */
export function TipTapEditor({ name, labelledBy, describedBy, extensions, tools, opened }: EditorProps & Parts) {
  const { value, error } = useField(name);
  const { setValue } = useFieldSetters(name);
  const mount = useRef<HTMLDivElement>(null);
  const lastHtml = useRef(value);
  const editor = useTipTap({ mount, value, extensions }, (html) => {
    lastHtml.current = html;
    setValue(html);
  });

  // only external changes (a draft, another episode), because new content moves the cursor
  useEffect(() => {
    if (!editor || value === lastHtml.current) return;
    lastHtml.current = value;
    editor.commands.setContent(toContent(value), { emitUpdate: false });
  }, [editor, value]);

  useEffect(() => {
    editor?.setOptions({
      editorProps: {
        ...editor.options.editorProps,
        attributes: {
          class: classes.editor!,
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-labelledby': labelledBy,
          'data-field': name,
          ...(describedBy && { 'aria-describedby': describedBy }),
          ...(error && { 'aria-invalid': 'true' }),
        },
      },
    });
  }, [editor, name, labelledBy, describedBy, error]);

  return (
    <div className={classes.frame} data-error={error ? true : undefined}>
      {editor && <RichTextToolbar editor={editor} tools={tools} opened={opened} />}
      <div ref={mount} />
    </div>
  );
}

type Setup = { mount: React.RefObject<HTMLDivElement>; value: string; extensions: Extensions };

/** Renders again after each change of the text or the selection, so that the toolbar shows the current formats. */
function useTipTap({ mount, value, extensions }: Setup, onChange: (html: string) => void) {
  const [editor, setEditor] = useState<Editor | null>(null);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const latest = useRef({ value, onChange });
  latest.current.onChange = onChange;
  useEffect(() => {
    const created = new Editor({
      element: mount.current,
      extensions,
      content: toContent(latest.current.value),
      // our style sheet has these rules; the content security policy blocks injected ones
      injectCSS: false,
      editorProps: { transformPastedHTML: fromClipboard },
      onTransaction: render,
      onUpdate: ({ editor }) => latest.current.onChange(editor.isEmpty ? '' : editor.getHTML()),
    });
    setEditor(created);
    return () => created.destroy();
  }, [mount, extensions]);
  return editor;
}

/** What was copied in an editor of ours is clean, and has blocks that a word processor does not have. */
const fromClipboard = (html: string) => (html.includes('data-pm-slice') ? html : cleanPastedHtml(html));

/** Text without tags was typed into the text area before the editor loaded. */
const toContent = (value: string) => (/<[a-z]/i.test(value) ? value : toParagraphs(value));
