import { useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import type { Translate } from '~/locales/translate';
import classes from './edition-editor.module.css';
import { pictureFiles } from './edition-files';
import { type BlockFaces, editionNodes, putBlock, putFreeEnd, selectedBlock } from './edition-nodes';
import {
  ButtonPanel,
  DroppedPicture,
  EpisodePanel,
  type OfferedBlocks,
  PicturePanel,
  proposedLabel,
} from './edition-panels';
import type { PanelProps } from './editor-panel';
import { ButtonIcon, DividerIcon, PaidPartIcon, PictureIcon, ProductsIcon } from './line-icons';
import { type EditorProps, starterKit, TipTapEditor } from './rich-text-editor';
import type { Tool } from './rich-text-toolbar';

export type EditionEditorProps = EditorProps & { offers: OfferedBlocks };

/** The editor of notes, with the blocks of editions. Loaded on demand by `EditionField`. */
export function EditionEditor({ offers, ...props }: EditionEditorProps) {
  const { t } = useTranslation('studio');
  // the editor is created once: what an episode is called does not change while one writes
  const [dropped, setDropped] = useState<{ file: File; panel: 'picture' } | null>(null);
  const [parts] = useState(() => ({
    extensions: [...extensionsOf(t, offers), pictureFiles((file) => setDropped({ file, panel: 'picture' }))],
    tools: toolsOf(offers),
  }));
  return (
    <div className={classes.edition}>
      <DroppedPicture.Provider value={{ file: dropped?.file ?? null, take: () => setDropped(null) }}>
        <TipTapEditor {...props} {...parts} opened={dropped} />
      </DroppedPicture.Provider>
    </div>
  );
}

function extensionsOf(t: Translate, { episodes, words }: OfferedBlocks) {
  const faces: BlockFaces = {
    altOf: (alt) => alt || t('editor.altMissing'),
    freeEnd: t('editor.freeEndShown'),
    addressMissing: t('editor.addressMissing'),
    buttonOf: (action, label) => label || proposedLabel(words, action) || t(`editor.action.${action}`),
    episodeOf: (id) => episodes.find((episode) => episode.id === id)?.name ?? t('editor.otherEpisode'),
  };
  return [
    starterKit({ document: false, gapcursor: undefined, dropcursor: {}, trailingNode: {} }),
    ...editionNodes(faces),
  ];
}

function toolsOf({ episodes, ...offers }: OfferedBlocks): Tool[] {
  const Button = (props: PanelProps) => <ButtonPanel {...props} {...offers} />;
  const Episode = (props: PanelProps) => <EpisodePanel {...props} episodes={episodes} />;
  return [
    { name: 'picture', face: <PictureIcon />, isOn: (e) => selectedBlock(e, 'picture') !== null, Panel: PicturePanel },
    { name: 'button', face: <ButtonIcon />, isOn: (e) => selectedBlock(e, 'button') !== null, Panel: Button },
    { name: 'episode', face: <ProductsIcon />, isOn: (e) => selectedBlock(e, 'episode') !== null, Panel: Episode },
    { name: 'divider', face: <DividerIcon />, run: (e) => putBlock(e, 'divider') },
    { name: 'freeEnd', face: <PaidPartIcon />, run: putFreeEnd },
  ];
}
