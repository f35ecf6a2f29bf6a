import type { CreatorSections } from './creator-page-data.server';
import type { GoalBar as Goal } from './goal.server';

/** The creator's call to action. */
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

/** The link to the donation page, with the goal and the newest donors if the creator shows them. */
export function DonationSection({ donation }: { donation: NonNullable<CreatorSections['donation']> }) {
  const { url, title, text, button, goal, wallTitle, wall, more } = donation;
  return (
    <section className="section donation-block" aria-labelledby="donation">
      <h2 id="donation" dir="auto">
        {title}
      </h2>
      <p dir="auto">{text}</p>
      {goal && <GoalBar goal={goal} />}
      <a className="button" href={url}>
        {button}
      </a>
      {wall.length > 0 && (
        <>
          <h3>{wallTitle}</h3>
          <ThanksList wall={wall} more={more} />
        </>
      )}
    </section>
  );
}

type GoalProps = { goal: Goal; level?: 2 | 3 };

export function GoalBar({ goal: { title, label, percent }, level = 3 }: GoalProps) {
  const Title = `h${level}` as const;
  return (
    <div className="goal">
      <Title dir="auto">{title}</Title>
      <progress value={percent} max={100} aria-label={title} />
      <p className="small">{label}</p>
    </div>
  );
}

type Donor = { id: number; name: string; message: string };

/** The donors' words are plain text, and each has its own direction. `more`: says how many others there are. */
export function ThanksList({ wall, more }: { wall: Donor[]; more: string | null }) {
  return (
    <ul className="wall">
      {wall.map(({ id, name, message }) => (
        <li key={id}>
          <strong dir="auto">{name}</strong>
          {message && <p dir="auto">{message}</p>}
        </li>
      ))}
      {more && <li className="muted">{more}</li>}
    </ul>
  );
}

/** Testimonials about the creator as plain text: no page loads widgets of other sites. */
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
