import type { CreatorSections } from './creator-page-data.server';

/** What the creator asks visitors to do. */
export function CallToAction({ call }: { call: NonNullable<CreatorSections['callToAction']> }) {
  const { title, text, button } = call;
  return (
    <section className="call">
      <div>
        {title && <h2 dir="auto">{title}</h2>}
        {text && <p dir="auto">{text}</p>}
      </div>
      {button && (
        <a className="button" href={button.url} rel="nofollow noopener" dir="auto">
          {button.text}
        </a>
      )}
    </section>
  );
}

/** What others say about the creator, as text: no widget of another site. */
export function Testimonials({ list, title }: { list: CreatorSections['testimonials']; title: string }) {
  return (
    <section className="section" aria-labelledby="testimonials">
      <h2 id="testimonials">{title}</h2>
      <ul className="testimonials">
        {list.map(({ text, author, url }) => (
          <li key={`${author} ${text}`}>
            <blockquote dir="auto">{text}</blockquote>
            <p className="muted" dir="auto">
              {url ? (
                <a href={url} rel="nofollow noopener">
                  {author}
                </a>
              ) : (
                author
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The creator's pages on other sites. */
export function PageLinks({ links, title }: { links: CreatorSections['links']; title: string }) {
  return (
    <nav className="listings" aria-label={title}>
      {links.map(({ label, url }) => (
        <a key={`${label} ${url}`} href={url} rel="nofollow noopener" dir="auto">
          {label}
        </a>
      ))}
    </nav>
  );
}
