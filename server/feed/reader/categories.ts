import { CATEGORIES, categoryPath } from '../apple-categories';
import { childrenNamed } from '../markup/elements';
import type { Element } from '../markup/tree';
import type { FeedCategory } from '../model';
import { plainText } from '../text';
import type { ParseLog } from './model';
import { attributeText } from './texts';

/** Apple's categories until 2019 and those of older directories, as `name in the feed: name today`. */
const FORMER_NAMES: Record<string, string> = {
  literature: 'Books',
  'business news': 'Business News',
  'management marketing': 'Management',
  shopping: 'Business',
  education: 'Education',
  'educational technology': 'Education',
  'higher education': 'Courses',
  'k 12': 'Education',
  training: 'Courses',
  'language courses': 'Language Learning',
  'games hobbies': 'Leisure',
  games: 'Games',
  'other games': 'Games',
  'government organizations': 'Government',
  local: 'Government',
  national: 'Government',
  regional: 'Government',
  health: 'Health & Fitness',
  'fitness nutrition': 'Fitness',
  'self help': 'Self-Improvement',
  family: 'Kids & Family',
  'news politics': 'News',
  'sports recreation': 'Sports',
  amateur: 'Sports',
  professional: 'Sports',
  'college high school': 'Sports',
  outdoor: 'Wilderness',
  gadgets: 'Technology',
  podcasting: 'Technology',
  'software how to': 'Technology',
  computers: 'Technology',
  'information technology': 'Technology',
  'science medicine': 'Science',
  environment: 'Nature',
  'movies television': 'TV & Film',
  film: 'TV & Film',
  'arts entertainment': 'Arts',
  travel: 'Places & Travel',
  transportation: 'Leisure',
  'talk radio': 'News',
  international: 'News',
  'public radio': 'News',
  'audio blogs': 'Personal Journals',
  'health medicine': 'Medicine',
};

const normalize = (name: string) =>
  name
    .toLowerCase()
    .replace(/&amp;|\band\b|[^a-z\d]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const byNormalizedName = new Map(CATEGORIES.map((category) => [normalize(category.name), category]));

/** Maps the categories of a feed to Apple's, in order and without duplicates. Knows old names and other spellings. */
export function readCategories(channel: Element, log: ParseLog): FeedCategory[] {
  const apple = childrenNamed(channel, 'itunes:category');
  const found = apple.flatMap((element) => categoriesIn(element, log));
  if (found.length > 0) return withoutDuplicates(found);
  const others = [
    ...childrenNamed(channel, 'googleplay:category'),
    ...childrenNamed(channel, 'category'),
    ...childrenNamed(channel, 'atom:category'),
  ]
    .flatMap((element) =>
      (attributeText(element, 'text') ?? attributeText(element, 'term') ?? plainText(element.text)).split(/[/,]/),
    )
    .flatMap((name) => toAppleCategory(name) ?? []);
  if (others.length > 0) log.repaired('category_elsewhere');
  return withoutDuplicates(others).slice(0, 3);
}

function categoriesIn(element: Element, log: ParseLog): FeedCategory[] {
  const name = attributeText(element, 'text') ?? plainText(element.text);
  const own = toAppleCategory(name);
  const subs = childrenNamed(element, 'itunes:category').flatMap((sub) => subcategoriesIn(sub, own, log));
  if (subs.length > 0) return subs;
  if (!own) {
    if (name) log.lost('category_unknown');
    return [];
  }
  if (own.sub || own.name !== name) log.repaired('category_repaired');
  return [own];
}

/** The subcategory alone decides, because some have changed parents; a wrong parent is reported as repaired. */
function subcategoriesIn(element: Element, parent: FeedCategory | null, log: ParseLog): FeedCategory[] {
  const name = attributeText(element, 'text') ?? plainText(element.text);
  const found = toAppleCategory(name);
  if (!found) {
    if (name) log.lost('category_unknown');
    return childrenNamed(element, 'itunes:category').flatMap((deeper) => subcategoriesIn(deeper, parent, log));
  }
  if (found.name !== parent?.name || found.sub !== name) log.repaired('category_repaired');
  return [found];
}

function toAppleCategory(name: string): FeedCategory | null {
  const words = normalize(name);
  const category = byNormalizedName.get(words) ?? byNormalizedName.get(normalize(FORMER_NAMES[words] ?? ''));
  const path = category && categoryPath(category.id);
  if (!path) return null;
  return path.parent ? { name: path.parent.name, sub: path.category.name } : { name: path.category.name };
}

function withoutDuplicates(list: FeedCategory[]): FeedCategory[] {
  return [...new Map(list.map((one) => [`${one.name}/${one.sub ?? ''}`, one])).values()];
}
