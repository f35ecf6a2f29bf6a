import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { SoundPlayer } from '~/app/components/sound-player';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeView } from '~/server/domain/episodes/views';
import { isUnsure } from '~/server/transcript/edit-cues';
import { ComparePanel } from './compare-panel';
import { EditorButtons, type Panel } from './editor-buttons';
import { EditorHelp } from './editor-help';
import { FindPanel } from './find-panel';
import { textOf, useFollowing } from './follow-words';
import { GlossaryPanel } from './glossary-panel';
import { BLOCK, PassageBlock } from './passage-block';
import { SpeakersPanel } from './speakers-panel';
import classes from './transcript-editor.module.css';
import { useEditorKeys } from './use-editor-keys';
import { useListEvents } from './use-list-events';
import { type Passage, usePassages } from './use-passages';
import { type Loaded, useSaving } from './use-saving';

type Episode = Pick<EpisodeView, 'id' | 'productId' | 'kind' | 'url' | 'durationSeconds' | 'waveform'>;
type Props = {
  episode: Episode;
  loaded: Loaded & { speakers: string[]; glossary: string[] };
  load: () => Promise<Loaded>;
};
/** The text of an episode beside its sound: each passage is edited in place, and saved while one types. */
export default function TranscriptEditor({ episode, loaded, load }: Props) {
  const audio = useRef<HTMLAudioElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { passages, tools } = usePassages(loaded.cues);
  const saving = useSaving({ episode, loaded, passages, tools, load });
  const [panel, setPanel] = useState<Panel>(null);
  const [wanted, setWanted] = useState(0);

  const seek = useCallback((seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds;
  }, []);
  const want = useCallback(
    ({ id }: Passage) => setWanted(Math.floor(tools.current().findIndex((passage) => passage.id === id) / BLOCK)),
    [tools],
  );
  const show = useCallback(
    (passage: Passage) => {
      want(passage);
      afterRender(() => textOf(passage.id)?.scrollIntoView({ block: 'center' }));
    },
    [want],
  );
  useFollowing(audio, tools.current, want);
  const { place, ...events } = useListEvents({ list, passages, tools, seek });

  const blocks = useMemo(() => inBlocks(passages), [passages]);
  const unsureCount = useMemo(() => passages.filter(({ cue }) => isUnsure(cue)).length, [passages]);
  const nextUnsure = useCallback(() => {
    const all = tools.current();
    const at = all.findIndex(({ id }) => textOf(id) === document.activeElement);
    const next = all.find(({ cue }, index) => index > at && isUnsure(cue)) ?? all.find(({ cue }) => isUnsure(cue));
    if (!next) return;
    show(next);
    afterRender(() => textOf(next.id)?.focus());
    if (next.cue.startMs !== null) seek(next.cue.startMs / 1000);
  }, [tools, show, seek]);
  const toggle = useCallback((name: Panel) => setPanel((current) => (current === name ? null : name)), []);
  const onKeys = useEditorKeys({ audio, tools, nextUnsure, openFind: () => setPanel('find') });
  // its waveform has hundreds of bars, which do not change while someone types
  const player = useMemo(() => <Player episode={episode} audio={audio} />, [episode]);

  async function settle(): Promise<Date | null> {
    await saving.save();
    return saving.isSettled() ? saving.version() : null;
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for what its buttons do
    <div className={classes.editor} onKeyDown={onKeys}>
      <div className={classes.bar}>
        {player}
        <div className={classes.acts}>
          <EditorButtons {...{ tools, panel, toggle, unsureCount, nextUnsure }} />
          <SaveNote {...saving} />
        </div>
        {panel === 'find' && <FindPanel {...{ passages, tools, show }} onClose={() => setPanel(null)} />}
        {panel === 'speakers' && (
          <SpeakersPanel {...{ passages, tools }} known={loaded.speakers} onClose={() => setPanel(null)} />
        )}
        {panel === 'glossary' && (
          <GlossaryPanel
            {...{ passages, tools }}
            show={{ id: episode.productId, kind: episode.kind }}
            lines={loaded.glossary}
            onClose={() => setPanel(null)}
          />
        )}
        {panel === 'compare' && (
          <ComparePanel
            {...{ episode, passages, settle, show }}
            onRestored={saving.replaceBy}
            onClose={() => setPanel(null)}
          />
        )}
        {panel === 'keys' && <EditorHelp />}
      </div>
      {saving.lost.length > 0 && <Lost texts={saving.lost.map(({ text }) => text)} onClose={saving.forgetLost} />}
      <datalist id="speakers-of-show">
        {loaded.speakers.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div ref={list} {...events}>
        {blocks.map((rows, index) => (
          <PassageBlock
            key={index}
            passages={rows}
            speakerBefore={blocks[index - 1]?.at(-1)?.cue.speaker}
            isWanted={index === wanted}
          />
        ))}
      </div>
    </div>
  );
}

function Player({ episode, audio }: Pick<Props, 'episode'> & { audio: RefObject<HTMLAudioElement> }) {
  const { url, durationSeconds, waveform } = episode;
  if (!url) return null;
  return <SoundPlayer src={new URL(url).pathname} {...{ durationSeconds, waveform, audio }} />;
}

/** A row that is wanted is there after the next render. */
const afterRender = (act: () => void) => requestAnimationFrame(() => requestAnimationFrame(act));

function inBlocks(passages: Passage[]): Passage[][] {
  return Array.from({ length: Math.ceil(passages.length / BLOCK) }, (_, index) =>
    passages.slice(index * BLOCK, (index + 1) * BLOCK),
  );
}

function SaveNote({ state, problem, save }: Pick<ReturnType<typeof useSaving>, 'state' | 'problem' | 'save'>) {
  const { t } = useTranslation('transcripts');
  useEffect(() => {
    // a refused change may be corrected, or fit again after a reload
    if (state === 'refused') document.getElementById('save-problem')?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  if (state === 'refused')
    return (
      <Alert color="red" variant="light" role="alert" id="save-problem">
        <p>{problem ?? t('save.refused')}</p>
        <Button type="button" variant="default" onClick={() => void save()}>
          {t('save.again')}
        </Button>
      </Alert>
    );
  return (
    <p className={classes.saved} role="status">
      {state === 'unchanged' ? '' : t(`save.${state}`)}
    </p>
  );
}

/** What another window has changed as well: its text stays, and this one can be copied. */
function Lost({ texts, onClose }: { texts: string[]; onClose: () => void }) {
  const { t } = useTranslation('transcripts');
  return (
    <Alert color="red" variant="light" role="alert" className={classes.lost}>
      <p>{t('lost')}</p>
      <ul>
        {texts.map((text, index) => (
          <li key={index} dir="auto">
            {text}
          </li>
        ))}
      </ul>
      <Button type="button" variant="default" onClick={onClose}>
        {t('lostDone')}
      </Button>
    </Alert>
  );
}
