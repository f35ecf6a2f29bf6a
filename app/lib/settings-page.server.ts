import type { z } from 'zod';
import { SETTINGS_REQUIRED, type SettingsPart } from '~/server/domain/products/rules';
import { settingsOf, type updateProduct } from '~/server/domain/products/schema';
import { toInput } from './check-form';
import { withDoneMessage } from './done-message';
import { type Door, form } from './doors.server';
import { pathsFor, type SettingsPage } from './paths';
import { requireAbility } from './role-pages.server';
import { productRef } from './route-refs';
import { translator } from './texts.server';

/** Loads the show for a page of its settings. */
export async function loadSettings(door: Door, page: SettingsPage) {
  await requireAbility(door, 'product.manage');
  const product = await door.api.products.forEditing(productRef(door));
  const name = translator(door.context.language, 'product')(`settings.${page}`);
  return { title: `${name}: ${product.name}`, product: { ...product, picture: product.cover.webp[1400] } };
}

/** Saves the fields of one page of the settings, whatever else is sent. */
export const saveSettings = (part: SettingsPart) =>
  form(
    async (door, values) => {
      const ref = productRef(door);
      const own = toInput(settingsOf(part), { ...values, id: String(ref.id), kind: ref.kind }, SETTINGS_REQUIRED);
      await door.api.products.update(own as z.input<typeof updateProduct>);
      return ref;
    },
    { then: (ref, { url }) => withDoneMessage(pathsFor(url).settings(ref, part), 'product_saved') },
  );
