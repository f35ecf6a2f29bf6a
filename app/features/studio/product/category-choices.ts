import type { Choice, ChoiceGroup } from '~/app/components/fields';
import type { Language } from '~/locales/languages';
import { CATEGORIES, type Category } from '~/server/feed/apple-categories';

const nameIn = (language: Language) => (category: Category) => (language === 'es' ? category.nameEs : category.name);

/**
 * Apple's category tree as grouped options. Each parent category is itself an option, followed by its subcategories.
 */
export function categoryChoices(language: Language): ChoiceGroup[] {
  const name = nameIn(language);
  const byName = (a: Category, b: Category) => name(a).localeCompare(name(b), language);
  return CATEGORIES.filter(({ parentId }) => parentId === null)
    .toSorted(byName)
    .map((parent) => ({
      group: name(parent),
      items: [parent, ...CATEGORIES.filter(({ parentId }) => parentId === parent.id).toSorted(byName)].map(
        (category): Choice => ({ value: String(category.id), label: name(category) }),
      ),
    }));
}

/** `Arts › Books`, in the reader's language. */
export function categoryName(id: number, language: Language): string {
  const name = nameIn(language);
  const category = CATEGORIES.find((one) => one.id === id);
  const upper = CATEGORIES.find((one) => one.id === category?.parentId);
  return [upper, category].flatMap((one) => (one ? [name(one)] : [])).join(' › ');
}
