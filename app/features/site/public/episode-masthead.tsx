import type { ReactNode } from 'react';
import { Link } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus } from '~/db/values/episodes';
import type { CoverUrls } from '~/server/domain/media/rules';
import { inLanguage } from './content-language';
import { CoverPicture } from './cover-picture';

type Props = {
  product: { slug: string; name: string };
  cover: CoverUrls;
  title: string;
  /** Of the creator's texts. */
  language: string;
  /** Why only its creator sees the episode; null once it is published. */
  unpublished: Exclude<EpisodeStatus, 'published'> | null;
  facts: ReactNode;
  /** What is heard; its element has the class `below`. */
  children: ReactNode;
};

/** The head of the page of an episode, or of a part of one. */
export function EpisodeMasthead({ product, cover, title, language, unpublished, facts, children }: Props) {
  const { t } = useTranslation('public');
  const paths = usePublicPaths();
  return (
    <div className="show-head">
      {unpublished && (
        <p className="notice whole" role="note">
          {t(`episode.onlyYou.${unpublished}`)}
        </p>
      )}
      <CoverPicture cover={cover} alt="" wide={280} first />
      <div className="names">
        {facts}
        <h1 {...inLanguage(language)}>{title}</h1>
        <p className="by">
          <Link to={paths.product(product.slug)} {...inLanguage(language)}>
            {product.name}
          </Link>
        </p>
      </div>
      {children}
    </div>
  );
}
