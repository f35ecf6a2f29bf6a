import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import type { Language } from '~/locales/languages';

type SiteText = {
  title: string;
  description: string;
  html: string;
  language: Language;
  next: { text: string; to: string } | null;
};

/** `up`: the list of which the text is a part. */
type Props = {
  page: SiteText;
  links: LinkGroup[];
  up?: { text: string; to: string };
  notice?: string | false;
};

/** A text of the site with its one next step. */
export function TextPage({ page, links, up, notice }: Props) {
  const { title, description, html, language, next } = page;
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <article className="site-text">
          {up && (
            <p className="small">
              <Link to={up.to}>{up.text}</Link>
            </p>
          )}
          <h1 lang={language}>{title}</h1>
          <p className="lead" lang={language}>
            {description}
          </p>
          {notice && <p className="notice">{notice}</p>}
          {/* rendered from Markdown and sanitised by the server */}
          <div className="text-body" lang={language} dangerouslySetInnerHTML={{ __html: html }} />
          {next && (
            <p className="actions">
              <Link className="button" to={next.to}>
                {next.text}
              </Link>
            </p>
          )}
        </article>
      </div>
    </SiteShell>
  );
}
