import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { Form, Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { HeardCard } from './my-feed-data.server';

/** The shows that a listener has, or had, access to, each with its private feed. */
export function HeardShows({ shows }: { shows: HeardCard[] }) {
  return (
    <ul className="heard">
      {shows.map((show) => (
        <li key={show.id}>
          <CoverPicture cover={show.cover} alt="" wide={72} />
          <div>
            <h3 {...inLanguage(show.language)}>
              <a href={show.url}>{show.name}</a>
            </h3>
            <p className="small muted">
              {show.creator} · {show.facts.join(' · ')}
            </p>
            <ShowActions show={show} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function ShowActions({ show: { id, name, isLive, isFollowed } }: { show: HeardCard }) {
  const { t } = useTranslation('follow');
  const paths = useSitePaths();
  if (!isLive) return null;
  return (
    <div className="actions">
      <Link className="button plain slim" to={paths.feedLinks(id)}>
        {t('mine.links')}
        <span className="hidden-visually">: {name}</span>
      </Link>
      {isFollowed && (
        <Form method="post">
          <input type="hidden" name="productId" value={id} />
          <button className="button plain slim" type="submit">
            {t('mine.unfollow')}
            <span className="hidden-visually">: {name}</span>
          </button>
        </Form>
      )}
    </div>
  );
}

export function MyCreators({ creators }: { creators: { name: string; avatar: string | null; url: string }[] }) {
  return (
    <ul className="heard">
      {creators.map(({ name, avatar, url }) => (
        <li key={url}>
          {avatar ? <img className="avatar" src={avatar} alt="" width={72} height={72} /> : <span />}
          <h3 dir="auto">
            <a href={url}>{name}</a>
          </h3>
        </li>
      ))}
    </ul>
  );
}
