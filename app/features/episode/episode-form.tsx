import { useMemo, useState } from 'react';
import { DraftedForm } from '~/app/features/drafts/drafted-form';
import { NeedsScript } from '~/app/features/studio/page-head';
import { useStudio } from '~/app/features/studio/studio-context';
import { isUnderway } from '~/app/features/upload/transfer';
import { useUpload } from '~/app/features/upload/use-upload';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { createEpisode, updateEpisode } from '~/server/domain/episodes/schema';
import type { CoverUrls } from '~/server/domain/media/rules';
import type { KindName } from '~/server/domain/products/kinds';
import { EpisodeFields } from './episode-fields';
import { EpisodePreview } from './episode-preview';
import { type EpisodeFacts, releaseFaults, textsOfEpisode } from './episode-texts';
import { SendEpisode } from './send-episode';

type Props = {
  product: { id: number; kind: KindName; name: string; isFree: boolean; cover: CoverUrls; creator: { name: string } };
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
  const preview = (
    <EpisodePreview
      cover={cover.transfer}
      picture={episode?.picture ?? product.cover.webp[640]}
      productName={product.name}
      host={product.creator.name}
      timeZone={timeZone}
      releaseDate={episode?.releaseDate ?? null}
    />
  );

  function waitForUpload(send: () => void) {
    if (underway) setWaiting(() => send);
    return underway;
  }

  function forgetUploads() {
    audio.forget();
    cover.forget();
  }

  return (
    <>
      <NeedsScript>{t('form.noScript')}</NeedsScript>
      <DraftedForm
        form={form}
        initial={initial}
        schema={episode ? updateEpisode : createEpisode}
        required={episode ? EDIT_REQUIRED : NEW_REQUIRED}
        refusal={refusal}
        check={(values) => releaseFaults(values, say, Date.now())}
        forgive={underway ? 'fileKey' : undefined}
        hold={waitForUpload}
        onTaken={forgetUploads}
        aside={preview}
      >
        <EpisodeFields
          product={product}
          episode={episode}
          audio={audio}
          cover={cover}
          timeZone={timeZone}
          pageUrl={pageUrl}
        />
        <SendEpisode upload={audio} waiting={waiting} onStop={() => setWaiting(null)} isNew={episode === null} />
      </DraftedForm>
    </>
  );
}
