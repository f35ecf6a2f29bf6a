import { Button } from '~/app/components/button';
import { EmptyState, EpisodePicture } from '~/app/components/empty-state';
import { SoundPlayer } from '~/app/components/sound-player';
import { formatClock } from '~/app/lib/clock';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeView } from '~/server/domain/episodes/views';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './sound-tools.module.css';

type Product = { id: number; kind: KindName };

/** Every episode with its promo, or with a button to add one. */
export function PromoList({ product, episodes }: { product: Product; episodes: EpisodeView[] }) {
  const may = useMay();
  const paths = usePaths();
  if (episodes.length === 0) return <NoEpisodes product={product} />;
  return (
    <ul className={classes.promos}>
      {episodes.map((episode) => (
        <li key={episode.id}>
          <div className={classes.head}>
            {may('episode.read') ? <Link to={paths.episode(episode)}>{episode.name}</Link> : episode.name}
            {may('episode.manage') && <PromoActions episode={episode} />}
          </div>
          {episode.promo && <Promo promo={episode.promo} />}
        </li>
      ))}
    </ul>
  );
}

function NoEpisodes({ product }: { product: Product }) {
  const { t } = useTranslation('episode');
  const may = useMay();
  const paths = usePaths();
  const create = may('episode.manage') && (
    <Button component={Link} to={paths.createEpisode(product)}>
      {t('list.first')}
    </Button>
  );
  return (
    <EmptyState picture={<EpisodePicture />} title={t('promo.noEpisodes')} action={create}>
      {create && t('promo.noEpisodesText')}
    </EmptyState>
  );
}

function PromoActions({ episode }: { episode: EpisodeView }) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  // the episode is a draft without checked audio, or its file failed
  if (!episode.url && !episode.promo) return <p className={classes.none}>{t('promo.needsAudio')}</p>;
  return (
    <div className={classes.acts}>
      <Button component={Link} to={paths.promo(episode)} variant="default">
        {t(episode.promo ? 'promo.replace' : 'promo.add')}
        <span className="hidden-visually">: {episode.name}</span>
      </Button>
      {episode.promo && <DeletePromo episode={episode} />}
    </div>
  );
}

/** Plays a promo. */
export function Promo({ promo }: { promo: NonNullable<EpisodeView['promo']> }) {
  const { t } = useTranslation('episode');
  const facts = t('promo.length', { length: formatClock(Math.round(promo.durationSeconds)) });
  return <SoundPlayer src={new URL(promo.url).pathname} durationSeconds={promo.durationSeconds} facts={facts} />;
}

function DeletePromo({ episode }: { episode: EpisodeView }) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  return (
    <Form method="post" action={paths.promotions({ id: episode.productId, kind: episode.kind })}>
      <input type="hidden" name="episodeId" value={episode.id} />
      <Button type="submit" name="intent" value="delete" variant="subtle" color="gray">
        {t('promo.delete')}
        <span className="hidden-visually">: {episode.name}</span>
      </Button>
    </Form>
  );
}
