import { CATEGORIES, categoryPath } from '../../domain/reference/kinds';
import { all } from '../markup/elements';
import type { Element } from '../markup/tree';
import type { FeedCategory } from '../model';
import { plainText } from '../text';
import type { Notes } from './model';
import { attr } from './texts';

/** Apple's categories until 2019 and those of directories before, as `name in the feed: name today`. */
const FORMER: Record<string, string> = {
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

const wording = (name: string) =>
  name
    .toLowerCase()
    .replace(/&amp;|\band\b|[^a-z\d]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const byWording = new Map(CATEGORIES.map((category) => [wording(category.name), category]));

/** Categories in Apple's tree, in their order and each once; old names, other spellings and single levels are mapped. */
export function readCategories(channel: Element, notes: Notes): FeedCategory[] {
  const apple = all(channel, 'itunes:category');
  const found = apple.flatMap((element) => ofElement(element, notes));
  if (found.length > 0) return distinct(found);
  const others = [...all(channel, 'googleplay:category'), ...all(channel, 'category'), ...all(channel, 'atom:category')]
    .flatMap((element) => (attr(element, 'text') ?? attr(element, 'term') ?? plainText(element.text)).split(/[/,]/))
    .flatMap((name) => mapped(name) ?? []);
  if (others.length > 0) notes.repaired('category_elsewhere');
  return distinct(others).slice(0, 3);
}

function ofElement(element: Element, notes: Notes): FeedCategory[] {
  const name = attr(element, 'text') ?? plainText(element.text);
  const own = mapped(name);
  const subs = all(element, 'itunes:category').flatMap((sub) => ofSub(sub, own, notes));
  if (subs.length > 0) return subs;
  if (!own) {
    if (name) notes.lost('category_unknown');
    return [];
  }
  if (own.sub || own.name !== name) notes.repaired('category_mended');
  return [own];
}

/** A name may stand at two places of the tree's history; below its parent the parent decides. */
function ofSub(element: Element, parent: FeedCategory | null, notes: Notes): FeedCategory[] {
  const name = attr(element, 'text') ?? plainText(element.text);
  const found = mapped(name);
  if (!found) {
    if (name) notes.lost('category_unknown');
    return all(element, 'itunes:category').flatMap((deeper) => ofSub(deeper, parent, notes));
  }
  if (found.name !== parent?.name || found.sub !== name) notes.repaired('category_mended');
  return [found];
}

function mapped(name: string): FeedCategory | null {
  const words = wording(name);
  const category = byWording.get(words) ?? byWording.get(wording(FORMER[words] ?? ''));
  const path = category && categoryPath(category.id);
  if (!path) return null;
  return path.parent ? { name: path.parent.name, sub: path.category.name } : { name: path.category.name };
}

function distinct(list: FeedCategory[]): FeedCategory[] {
  return [...new Map(list.map((one) => [`${one.name}/${one.sub ?? ''}`, one])).values()];
}
