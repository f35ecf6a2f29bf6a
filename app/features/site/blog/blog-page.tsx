import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { PostList, type ShownPost } from './post-list';
import { TextSearch } from './text-search';

type View = {
  links: LinkGroup[];
  title: string;
  search: string;
  items: ShownPost[];
  tags: { name: string; slug: string; count: number }[];
  tag: { slug: string } | null;
};

/** The posts, with their tags and a search that works without JavaScript. */
export function BlogPage({ view: { links, title, search, items, tags, tag } }: { view: View }) {
  const { t } = useTranslation('blog');
  const paths = useSitePaths();
  return (
    <SiteShell links={links}>
      <div className="wrap blog">
        <h1>{title}</h1>
        <p className="lead">{t('lead')}</p>
        <div className="blog-finders">
          <TextSearch action={paths.blog} search={search} label={t('search')} submit={t('submit')} />
          <nav aria-label={t('tags')}>
            <ul className="blog-tags">
              <li>
                <Link to={paths.blog} aria-current={tag || search ? undefined : 'page'}>
                  {t('all')}
                </Link>
              </li>
              {tags.map(({ name, slug }) => (
                <li key={slug}>
                  <Link to={`${paths.blog}/tag/${slug}`} aria-current={tag?.slug === slug ? 'page' : undefined}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        {search && (
          <p role="status" className="muted">
            {t(items.length > 0 ? 'found' : 'nothing', { count: items.length, search })}
          </p>
        )}
        <PostList posts={items} level={2} />
        <p className="muted small">
          <a href={`${paths.blog}/feed.xml`}>{t('feedLink')}</a>
        </p>
      </div>
    </SiteShell>
  );
}
