import { Button } from '~/app/components/button';
import { EmptyState, NothingFoundPicture } from '~/app/components/empty-state';
import { IntentButton } from '~/app/components/intent-button';
import { Pager } from '~/app/components/pager';
import { SectionTitle } from '~/app/components/section-title';
import { formatDateTime } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useCreatorTimeZone, useIsEditor } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { DeletedView } from '~/server/domain/episodes/views';
import { EpisodeFilter } from './episode-filter';
import type { EpisodeQuery } from './episode-query';
import classes from './list.module.css';

type Props = {
  episodes: { items: DeletedView[]; total: number; page: number; pageSize: number };
  query: EpisodeQuery;
};

/** A product's deleted episodes, which users can restore for some days. */
export function DeletedList({ episodes, query }: Props) {
  const { t } = useTranslation('episode');
  const { items, total, page, pageSize } = episodes;
  return (
    <section aria-labelledby="episodes-title">
      <SectionTitle id="episodes-title">{t('deleted.title')}</SectionTitle>
      <EpisodeFilter query={query} deleted />
      {total === 0 ? <NoneDeleted /> : <Rows items={items} />}
      <Pager page={page} pageSize={pageSize} total={total} />
    </section>
  );
}

function Rows({ items }: { items: DeletedView[] }) {
  const { t, locale } = useTranslation('episode');
  const isEditor = useIsEditor();
  const timeZone = useCreatorTimeZone();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('list.name')}</th>
          <th scope="col">{t('deleted.when')}</th>
          <th scope="col">{t('deleted.until')}</th>
          <th scope="col">
            <span className="hidden-visually">{t('deleted.restore')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((episode) => (
          <tr key={episode.id}>
            <th scope="row">
              <span dir="auto">{episode.name}</span>
              {episode.type !== 'public' && <span className={classes.type}>{t(`type.${episode.type}`)}</span>}
            </th>
            <td data-label={t('deleted.when')}>{formatDateTime(episode.deletedAt, locale, timeZone)}</td>
            <td data-label={t('deleted.until')}>{formatDateTime(episode.restorableUntil, locale, timeZone)}</td>
            <td>{isEditor && <RestoreButton episode={episode} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RestoreButton({ episode: { id, name } }: { episode: DeletedView }) {
  const { t } = useTranslation('episode');
  return (
    <Form method="post">
      <input type="hidden" name="id" value={id} />
      <IntentButton intent="restore" label={t('deleted.restoreOne', { name })}>
        {t('deleted.restore')}
      </IntentButton>
    </Form>
  );
}

function NoneDeleted() {
  const { t } = useTranslation('episode');
  const all = (
    <Button component={Link} to="?" variant="default">
      {t('list.showAll')}
    </Button>
  );
  return (
    <EmptyState picture={<NothingFoundPicture />} title={t('deleted.none')} action={all}>
      {t('deleted.help')}
    </EmptyState>
  );
}
