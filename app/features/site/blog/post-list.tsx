import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';

export type ShownPost = { slug: string; title: string; description: string; date: string; minutes: number };

export function PostList({ posts, level }: { posts: ShownPost[]; level: 2 | 3 }) {
  const paths = useSitePaths();
  const Heading = `h${level}` as const;
  return (
    <ul className="blog-list">
      {posts.map((post) => (
        <li key={post.slug}>
          <Heading>
            <Link to={`${paths.blog}/${post.slug}`}>{post.title}</Link>
          </Heading>
          <p>{post.description}</p>
          <PostFacts post={post} />
        </li>
      ))}
    </ul>
  );
}

export function PostFacts({ post: { date, minutes } }: { post: Pick<ShownPost, 'date' | 'minutes'> }) {
  const { t, locale } = useTranslation('blog');
  return (
    <p className="muted small">
      <time dateTime={date}>
        {formatDate(new Date(`${date}T00:00:00Z`), locale, { dateStyle: 'long', timeZone: 'UTC' })}
      </time>
      {' · '}
      {t('minutes', { count: minutes })}
    </p>
  );
}
