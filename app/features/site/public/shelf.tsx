import { AddressLink } from '~/app/components/address-link';
import { Link } from '~/app/lib/router';
import { inLanguage } from './content-language';
import { CoverPicture, IN_SHELF } from './cover-picture';
import type { CategoryChip, ShelfShow } from './shelf-data.server';

/** Shows in one row, which phones swipe. The text above is larger there than a cover, so covers load after it. */
export function Shelf({ title, shows }: { title: string; shows: ShelfShow[] }) {
  if (shows.length === 0) return null;
  return (
    <section className="section">
      <h2>{title}</h2>
      <ul className="covers shelf">
        {shows.map((show) => (
          <li key={show.id}>
            <AddressLink href={show.url}>
              <CoverPicture cover={show.cover} alt="" {...IN_SHELF} />
              <h3 {...inLanguage(show.language)}>{show.name}</h3>
              <p className="muted small">
                <bdi>{show.creator}</bdi> · {show.price}
              </p>
            </AddressLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Categories that lead to Discover, each with the cover of a popular show. */
export function CategoryChips({ categories, label }: { categories: CategoryChip[]; label: string }) {
  if (categories.length === 0) return null;
  return (
    <nav className="chips" aria-label={label}>
      {categories.map(({ path, name, cover }) => (
        <Link key={path} to={path}>
          <CoverPicture cover={cover} alt="" wide={40} />
          {name}
        </Link>
      ))}
    </nav>
  );
}
