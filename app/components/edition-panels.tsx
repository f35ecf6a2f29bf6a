import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useEditionPictures } from '~/app/lib/edition-pictures';
import { useTranslation } from '~/app/lib/translation';
import { serverMessage } from '~/app/lib/trpc-errors';
import { EDITION_PICTURE_TYPES } from '~/server/domain/media/rules';
import { BUTTON_ACTIONS, type EditionWords } from '~/server/edition/model';
import { EDITION_LIMITS } from '~/server/limits/editions';
import { putBlock, selectedBlock } from './edition-nodes';
import { EditorPanel, type PanelProps } from './editor-panel';
import { toLinkAddress } from './link-address';

type OfferedEpisode = { id: number; name: string; show: string };

/** What blocks can refer to. `words`: the usual texts on buttons, in the language of the newsletter. */
export type OfferedBlocks = { episodes: OfferedEpisode[]; takesDonations: boolean; words: EditionWords };

/** The text that a button has as long as the user enters none; undefined if it needs one. */
export const proposedLabel = (words: Record<string, string>, action: string): string | undefined =>
  action === 'custom' ? undefined : words[action];

/** A picture that was dropped or pasted: the panel opens and takes it. */
export const DroppedPicture = createContext<{ file: File | null; take: () => void }>({ file: null, take: () => {} });

/** Uploads a picture and asks what it shows, or changes the text of the selected one. */
export function PicturePanel({ editor, onClose }: PanelProps) {
  const { t } = useTranslation('studio');
  const upload = useEditionPictures();
  const selected = selectedBlock(editor, 'picture');
  const [picture, setPicture] = useState<Record<string, string | number> | null>(null);
  const [alt, setAlt] = useState(String(selected?.alt ?? ''));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [hasAsked, setAsked] = useState(false);

  async function pick(file: File | undefined) {
    if (!file) return;
    setBusy(true);
    setProblem(null);
    try {
      setPicture(await upload(file));
    } catch (error) {
      setProblem(serverMessage(error) ?? t('editor.uploadFailed'));
    }
    setBusy(false);
  }

  const dropped = useContext(DroppedPicture);
  useEffect(() => {
    if (!dropped.file) return;
    dropped.take();
    void pick(dropped.file);
  }, [dropped.file]);

  function apply() {
    const described = alt.trim();
    if (described === '' && !hasAsked) return setAsked(true);
    putBlock(editor, 'picture', { ...picture, alt: described });
    onClose();
  }

  return (
    <BlockPanel
      editor={editor}
      onClose={onClose}
      isAbout={selected !== null}
      onApply={apply}
      canApply={!isBusy && (picture ?? selected) !== null}
    >
      <PanelField label={t('editor.pictureFile')}>
        <input
          type="file"
          accept={EDITION_PICTURE_TYPES.join(',')}
          disabled={isBusy}
          onChange={(event) => void pick(event.currentTarget.files?.[0])}
        />
      </PanelField>
      <PanelField label={t('editor.alt')}>
        <input
          type="text"
          autoComplete="off"
          maxLength={EDITION_LIMITS.altLength}
          value={alt}
          onChange={(event) => setAlt(event.currentTarget.value)}
        />
      </PanelField>
      <p role="status" data-quiet>
        {isBusy ? t('editor.uploading') : hasAsked && alt.trim() === '' ? t('editor.altAsked') : ''}
      </p>
      {problem && <p role="alert">{problem}</p>}
    </BlockPanel>
  );
}

/** A button that leads to an address, or to a page of the publication. */
export function ButtonPanel({
  editor,
  onClose,
  takesDonations,
  words,
}: PanelProps & Pick<OfferedBlocks, 'takesDonations' | 'words'>) {
  const { t } = useTranslation('studio');
  const selected = selectedBlock(editor, 'button');
  const [action, setAction] = useState(String(selected?.action ?? BUTTON_ACTIONS[0]));
  const [label, setLabel] = useState(String(selected?.label ?? ''));
  const [address, setAddress] = useState(String(selected?.href ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const isCustom = action === 'custom';
  // an older button keeps its action, which the checks mention
  const actions = BUTTON_ACTIONS.filter((name) => name !== 'donate' || takesDonations || selected?.action === name);

  function apply() {
    const href = isCustom ? toLinkAddress(address) : null;
    if (isCustom && label.trim() === '') return setProblem(t('editor.labelMissing'));
    if (isCustom && href === null) return setProblem(t('editor.wrongAddress'));
    putBlock(editor, 'button', { action, label: label.trim(), href });
    onClose();
  }

  return (
    <BlockPanel editor={editor} onClose={onClose} isAbout={selected !== null} onApply={apply}>
      <PanelField label={t('editor.action')}>
        <select value={action} onChange={(event) => setAction(event.currentTarget.value)}>
          {actions.map((name) => (
            <option key={name} value={name}>
              {t(`editor.action.${name}`)}
            </option>
          ))}
        </select>
      </PanelField>
      <PanelField label={t('editor.label')}>
        <input
          type="text"
          autoComplete="off"
          maxLength={EDITION_LIMITS.labelLength}
          placeholder={proposedLabel(words, action)}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
      </PanelField>
      {isCustom && (
        <PanelField label={t('editor.address')}>
          <input
            type="text"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        </PanelField>
      )}
      {problem && <p role="alert">{problem}</p>}
    </BlockPanel>
  );
}

/** The card of one of the offered episodes. */
export function EpisodePanel({ editor, onClose, episodes }: PanelProps & { episodes: OfferedEpisode[] }) {
  const { t } = useTranslation('studio');
  const selected = selectedBlock(editor, 'episode');
  const [id, setId] = useState(Number(selected?.id ?? episodes[0]?.id));

  function apply() {
    putBlock(editor, 'episode', { id });
    onClose();
  }

  return (
    <BlockPanel
      editor={editor}
      onClose={onClose}
      isAbout={selected !== null}
      onApply={apply}
      canApply={episodes.length > 0}
    >
      {episodes.length === 0 ? (
        <p data-quiet>{t('editor.noEpisodes')}</p>
      ) : (
        <PanelField label={t('editor.episode')}>
          <select value={id} onChange={(event) => setId(Number(event.currentTarget.value))}>
            {episodes.map((episode) => (
              <option key={episode.id} value={episode.id}>
                {episode.name} · {episode.show}
              </option>
            ))}
          </select>
        </PanelField>
      )}
    </BlockPanel>
  );
}

type BlockPanelProps = Omit<ComponentProps<typeof EditorPanel>, 'remove'> & { isAbout: boolean };

/** A panel about a new block, or about the selected one, which it can delete. */
function BlockPanel({ isAbout, ...props }: BlockPanelProps) {
  const { t } = useTranslation('studio');
  const run = () => {
    props.onClose();
    props.editor.chain().focus().deleteSelection().run();
  };
  return <EditorPanel {...props} remove={isAbout ? { label: t('editor.delete'), run } : undefined} />;
}

const PanelField = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
  <label>
    <span>{label}</span>
    {children}
  </label>
);
