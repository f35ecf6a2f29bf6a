import { useMemo, useState } from 'react';
import { CheckField, ChoiceField, TextAreaField, TextField } from '~/app/components/fields';
import { RichTextField } from '~/app/components/rich-text-field';
import { DraftedForm } from '~/app/features/drafts/drafted-form';
import { NeedsScript } from '~/app/features/studio/page-head';
import classes from '~/app/features/studio/page-head.module.css';
import { useStudio } from '~/app/features/studio/studio-context';
import { AudioField } from '~/app/features/upload/audio-field';
import { PictureField } from '~/app/features/upload/picture-field';
import { isUnderway } from '~/app/features/upload/transfer';
import { useUpload } from '~/app/features/upload/use-upload';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { createEpisode, updateEpisode } from '~/server/domain/episodes/schema';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import { LIMITS } from '~/server/limits';
import own from './episode.module.css';
import { type EpisodeFacts, releaseFaults, textsOfEpisode } from './episode-texts';
import { ReleaseFields } from './release-fields';
import { SendEpisode } from './send-episode';

type Props = {
  product: { id: number; kind: KindName; slug: string; isFree: boolean };
  /** None: a new one. */
  episode: EpisodeFacts | null;
  pageUrl: string;
  refusal?: FormFailure;
};

export const NEW_REQUIRED = ['kind', 'productId', 'name', 'description'] as const;
export const EDIT_REQUIRED = ['id', 'kind', 'name', 'description'] as const;

/** Everything of an episode, filled in while its file is on its way. */
export function EpisodeForm({ product, episode, pageUrl, refusal }: Props) {
  const { t } = useTranslation('episode');
  const { t: say } = useTranslation('errors');
  const timeZone = useStudio().user.creator?.timeZone ?? 'UTC';
  const form = episode ? `episode-edit-${episode.id}` : `episode-create-${product.id}`;
  const initial = useMemo(() => textsOfEpisode(product, episode, timeZone), [product, episode, timeZone]);
  const audio = useUpload(form, 'fileKey', 'episode_audio');
  const cover = useUpload(form, 'coverKey', 'cover');
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  const underway = isUnderway(audio.transfer);
  const types = product.isFree ? (['public', 'trailer'] as const) : (['public', 'private', 'trailer'] as const);

  return (
    <div className={classes.form}>
      <NeedsScript>{t('form.noScript')}</NeedsScript>
      <DraftedForm
        form={form}
        initial={initial}
        schema={episode ? updateEpisode : createEpisode}
        required={episode ? EDIT_REQUIRED : NEW_REQUIRED}
        refusal={refusal}
        check={(values) => releaseFaults(values, say, Date.now())}
        forgive={underway ? 'fileKey' : undefined}
        hold={(send) => {
          if (underway) setWaiting(() => send);
          return underway;
        }}
        onTaken={() => {
          audio.forget();
          cover.forget();
        }}
      >
        <AudioField
          name="fileKey"
          proposes={episode ? undefined : 'name'}
          upload={audio}
          label={t(episode ? 'form.otherFile' : 'form.file')}
          help={t(episode ? 'form.otherFileHelp' : 'form.fileHelp')}
        />
        <TextField name="name" label={t('form.name')} maxLength={LIMITS.episode.nameLength} required />
        <RichTextField
          name="description"
          label={t('form.description')}
          help={t('form.descriptionHelp')}
          maxLength={LIMITS.episode.descriptionLength}
          words={{
            bold: t('text.bold'),
            italic: t('text.italic'),
            list: t('text.list'),
            link: t('text.link'),
            address: t('text.address'),
            toolbar: t('text.toolbar'),
          }}
        />
        <ChoiceField
          name="type"
          label={t('form.type')}
          options={types.map((type) => ({ value: type, label: t(`type.${type}`), help: t(`type.${type}.help`) }))}
        />
        <ReleaseFields
          timeZone={timeZone}
          status={episode?.status ?? null}
          releaseDate={episode?.releaseDate ?? null}
        />
        <More
          cover={cover}
          episode={episode}
          ordered={KINDS[product.kind].playOrder === 'oldest_first'}
          pageUrl={pageUrl}
        />
        <SendEpisode upload={audio} waiting={waiting} onStop={() => setWaiting(null)} isNew={episode === null} />
      </DraftedForm>
    </div>
  );
}

type MoreProps = {
  cover: ReturnType<typeof useUpload>;
  episode: EpisodeFacts | null;
  ordered: boolean;
  pageUrl: string;
};

/** What most episodes do without. */
function More({ cover, episode, ordered, pageUrl }: MoreProps) {
  const { t } = useTranslation('episode');
  return (
    <details className={own.more}>
      <summary>{t('form.more')}</summary>
      <div className={own.moreFields}>
        <PictureField
          name="coverKey"
          upload={cover}
          label={t('form.cover')}
          help={t('form.coverHelp')}
          present={episode?.hasOwnCover ? episode.picture : null}
        />
        <div className={own.pair}>
          <TextField name="season" label={t('form.season')} type="number" min={1} inputMode="numeric" />
          <TextField
            name="number"
            label={t(ordered ? 'form.part' : 'form.number')}
            type="number"
            min={1}
            inputMode="numeric"
          />
        </div>
        <TextField
          name="slug"
          label={t('form.slug')}
          help={t('form.slugHelp', { address: `${pageUrl}/…` })}
          maxLength={LIMITS.episode.slugLength}
          spellCheck={false}
        />
        <TextAreaField
          name="privateNote"
          label={t('form.note')}
          help={t('form.noteHelp')}
          rows={3}
          maxLength={LIMITS.episode.noteLength}
        />
        <CheckField name="explicit" label={t('form.explicit')} help={t('form.explicitHelp')} />
      </div>
    </details>
  );
}
