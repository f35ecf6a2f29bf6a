import { type Attributes, type Editor, type Extensions, mergeAttributes, Node } from '@tiptap/core';
import type { DOMOutputSpec, Node as DocumentNode } from '@tiptap/pm/model';
import { NodeSelection } from '@tiptap/pm/state';
import { BUTTON_ACTIONS } from '~/server/edition/model';
import classes from './edition-editor.module.css';

/** What the editor shows in place of a block that is a picture, a line or a card in the edition. */
export type BlockFaces = {
  /** The text below a picture. */
  altOf: (alt: string) => string;
  freeEnd: string;
  buttonOf: (action: string, label: string) => string;
  /** The text below a button that leads nowhere. */
  addressMissing: string;
  episodeOf: (id: number) => string;
};

/** Blocks of editions are elements of their own between paragraphs, never in lists or quotations. */
const Document = Node.create({ name: 'doc', topNode: true, content: '(block | edition)+' });

type Attrs = Record<string, string | number | null>;
type BlockKind = {
  name: string;
  tag: string;
  attributes: Attributes;
  toHtml: (attrs: Attrs) => DOMOutputSpec;
  draw: (attrs: Attrs) => (HTMLElement | string)[];
};

/** A block that is selected, moved and deleted as a whole. */
function blockNode({ name, tag, attributes, toHtml, draw }: BlockKind) {
  return Node.create({
    name,
    group: 'edition',
    atom: true,
    draggable: true,
    addAttributes: () => attributes,
    // before paragraphs, whose tag buttons have
    parseHTML: () => [{ tag, priority: 100 }],
    renderHTML: ({ node }) => toHtml(node.attrs),
    addNodeView: () => (props: { node: DocumentNode }) => {
      const dom = document.createElement('div');
      dom.className = classes.block!;
      dom.dataset.kind = name;
      const show = ({ attrs }: DocumentNode) => dom.replaceChildren(...draw(attrs));
      show(props.node);
      return {
        dom,
        update(node: DocumentNode) {
          if (node.type.name === name) show(node);
          return node.type.name === name;
        },
      };
    },
  });
}

const attribute = (name: string, element: HTMLElement) => element.getAttribute(name);
const plain = (...names: string[]): Attributes =>
  Object.fromEntries(
    names.map((name) => [name, { default: null, parseHTML: (el: HTMLElement) => attribute(name, el) }]),
  );

function elementOf(tag: string, attrs: Record<string, string>, text = ''): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

/** The blocks that only editions have, with the same HTML that `cleanEdition` writes. */
export function editionNodes(faces: BlockFaces): Extensions {
  const picture = blockNode({
    name: 'picture',
    tag: 'img[src]',
    attributes: plain('src', 'alt', 'width', 'height'),
    toHtml: (attrs) => ['img', mergeAttributes({ alt: '' }, withoutEmpty(attrs))],
    draw: ({ src, alt }) => {
      const caption = elementOf('span', alt ? {} : { 'data-missing': '' }, faces.altOf(String(alt ?? '')));
      return [elementOf('img', { src: String(src), alt: String(alt ?? '') }), caption];
    },
  });
  const divider = blockNode({
    name: 'divider',
    tag: 'hr:not([data-free-end])',
    attributes: {},
    toHtml: () => ['hr'],
    draw: () => [elementOf('hr', {})],
  });
  const freeEnd = blockNode({
    name: 'freeEnd',
    tag: 'hr[data-free-end]',
    attributes: {},
    toHtml: () => ['hr', { 'data-free-end': '' }],
    draw: () => [elementOf('span', {}, faces.freeEnd)],
  });
  const button = blockNode({
    name: 'button',
    tag: 'p[data-button]',
    attributes: {
      action: { default: BUTTON_ACTIONS[0], parseHTML: (el: HTMLElement) => attribute('data-button', el) },
      label: { default: '', parseHTML: (el: HTMLElement) => el.textContent },
      href: { default: null, parseHTML: (el: HTMLElement) => el.querySelector('a')?.getAttribute('href') ?? null },
    },
    toHtml: ({ action, label, href }) => ['p', { 'data-button': action }, ['a', href ? { href } : {}, label || '']],
    draw: ({ action, label, href }) => {
      const face = elementOf('span', {}, faces.buttonOf(String(action), String(label ?? '')));
      const leadsNowhere = action === 'custom' && !href;
      return leadsNowhere ? [face, elementOf('p', { 'data-missing': '' }, faces.addressMissing)] : [face];
    },
  });
  const episode = blockNode({
    name: 'episode',
    tag: 'div[data-episode]',
    attributes: { id: { default: null, parseHTML: (el: HTMLElement) => Number(attribute('data-episode', el)) } },
    toHtml: ({ id }) => ['div', { 'data-episode': String(id) }],
    draw: ({ id }) => [elementOf('span', {}, faces.episodeOf(Number(id)))],
  });
  return [Document, picture, divider, freeEnd, button, episode];
}

const withoutEmpty = (attrs: Attrs) => Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null));

/** The attributes of the selected block; null if another element is selected. */
export function selectedBlock(editor: Editor, name: string): Attrs | null {
  const { selection } = editor.state;
  return selection instanceof NodeSelection && selection.node.type.name === name ? selection.node.attrs : null;
}

/** A block has one position, and the text after it begins one further. */
const AFTER_BLOCK = 2;

/** Changes the selected block of this kind, or puts a new one after the element at the cursor. */
export function putBlock(editor: Editor, type: string, attrs: Attrs = {}): void {
  if (selectedBlock(editor, type)) {
    editor.chain().focus().updateAttributes(type, attrs).run();
    return;
  }
  const { doc, selection } = editor.state;
  const { $from, to } = selection;
  const isBlank = $from.depth === 1 && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0;
  const after = $from.depth === 0 ? to : $from.after(1);
  const from = isBlank ? $from.before(1) : after;
  // the cursor moves into a paragraph: typing would replace a selected block
  const isNextText = doc.resolve(after).nodeAfter?.type.isInGroup('block') ?? false;
  const content = [{ type, attrs }, ...(isNextText ? [] : [{ type: 'paragraph' }])];
  editor
    .chain()
    .focus()
    .insertContentAt({ from, to: after }, content)
    .setTextSelection(from + AFTER_BLOCK)
    .run();
}

/**
 * There is one end of the free part. If there is one already, it is selected: moving it would show to everyone what was
 * written for paying subscribers.
 */
export function putFreeEnd(editor: Editor): void {
  let place: number | null = null;
  editor.state.doc.forEach((node, offset) => {
    if (node.type.name === 'freeEnd') place = offset;
  });
  if (place === null) putBlock(editor, 'freeEnd');
  else editor.chain().focus().setNodeSelection(place).scrollIntoView().run();
}
