import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { Language } from '~/locales/languages';
import { formatDate } from '~/server/base/formats';
import { PostFacts, PostList, type ShownPost } from './post-list';

type Post = ShownPost & {
  html: string;
  language: Language;
  author: string | null;
  updated: string | null;
  tags: { name: string; slug: string }[];
  related: ShownPost[];
};

export function PostPage({ post, links }: { post: Post; links: LinkGroup[] }) {
  const { t, locale } = useTranslation('blog');
  const paths = useSitePaths();
  const { title, description, html, language, author, updated, tags, related } = post;
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <article className="site-text">
          <p className="small">
            <Link to={paths.blog}>{t('title')}</Link>
          </p>
          <h1 lang={language}>{title}</h1>
          <p className="lead" lang={language}>
            {description}
          </p>
          <PostFacts post={post} />
          {author && <p className="muted small">{author}</p>}
          {/* rendered from Markdown and sanitised by the server */}
          <div className="text-body" lang={language} dangerouslySetInnerHTML={{ __html: html }} />
          <ul className="blog-tags" aria-label={t('tags')}>
            {tags.map(({ name, slug }) => (
              <li key={slug}>
                <Link to={`${paths.blog}/tag/${slug}`}>{name}</Link>
              </li>
            ))}
          </ul>
          {updated && (
            <p className="muted small">
              {t('updated', {
                date: formatDate(new Date(`${updated}T00:00:00Z`), locale, { dateStyle: 'long', timeZone: 'UTC' }),
              })}
            </p>
          )}
        </article>
        {related.length > 0 && (
          <section className="blog-related" aria-labelledby="related">
            <h2 id="related">{t('related')}</h2>
            <PostList posts={related} level={3} />
          </section>
        )}
      </div>
    </SiteShell>
  );
}
