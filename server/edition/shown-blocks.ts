import type { Block, ButtonBlock, Edition, EditionPart, EpisodeCard } from './model';

/** A part that a rendering shows, with everything that it needs to know. */
export type Shown =
  | Exclude<Block, { kind: 'free_end' | 'button' | 'episode' }>
  | { kind: 'button'; label: string; href: string }
  | { kind: 'episode'; card: EpisodeCard; note: string }
  | { kind: 'invitation'; text: string; label: string; href: string };

/**
 * The blocks of a part, for each rendering alike. Buttons without an address and cards of unknown episodes are left out;
 * in the free part, an invitation to subscribe takes the place of what follows.
 */
export function shownBlocks(edition: Edition, part: EditionPart): Shown[] {
  const { blocks, links, words } = edition;
  const end = blocks.findIndex(({ kind }) => kind === 'free_end');
  const isCut = part === 'free' && end >= 0;
  const shown = (isCut ? blocks.slice(0, end) : blocks).flatMap((block) => toShown(block, edition));
  const invitation = { text: words.paidPart, label: words.subscribeToRead, href: links.subscribe };
  return isCut ? [...shown, { kind: 'invitation', ...invitation }] : shown;
}

function toShown(block: Block, edition: Edition): Shown[] {
  if (block.kind === 'free_end') return [];
  if (block.kind === 'button') return shownButton(block, edition);
  if (block.kind !== 'episode') return [block];
  const card = edition.episodes.get(block.id);
  return card ? [{ kind: 'episode', card, note: noteOf(card, edition) }] : [];
}

function shownButton({ action, label, href }: ButtonBlock, { links, words }: Edition): Shown[] {
  const target = action === 'custom' ? href : links[action];
  const shownLabel = label || (action === 'custom' ? target : words[action]);
  return target ? [{ kind: 'button', label: shownLabel ?? '', href: target }] : [];
}

function noteOf({ show, minutes }: EpisodeCard, { words }: Edition): string {
  return minutes === null ? show : `${show} · ${words.minutes.replace('{{count}}', String(minutes))}`;
}
