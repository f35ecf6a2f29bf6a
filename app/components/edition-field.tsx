import type { ReactNode } from 'react';
import { EDITION_LIMITS } from '~/server/limits/editions';
import type { OfferedBlocks } from './edition-panels';
import { EditorField } from './rich-text-field';

type Props = { name: string; label: string; help?: ReactNode; offers: OfferedBlocks };

const load = async () => (await import('./edition-editor')).EditionEditor;

/**
 * The content of an edition: formatted text with pictures, buttons, cards of episodes, lines, and the line after which
 * the part for paying subscribers begins. Without JavaScript, it is HTML in a text area.
 */
export function EditionField({ offers, ...props }: Props) {
  return <EditorField {...props} rows={18} maxLength={EDITION_LIMITS.contentLength} load={load} extras={{ offers }} />;
}
