import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { EDITION_PICTURE_TYPES } from '~/server/domain/media/rules';

/** Pictures that are dropped on the editor or pasted. The browser would open a dropped file instead of the page. */
export const pictureFiles = (onPicture: (file: File) => void) =>
  Extension.create({
    name: 'pictureFiles',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          handleDrop: (_, event) => take(event.dataTransfer, onPicture),
          // programs that copy text may add a picture of it
          handlePaste: (_, event) => !hasText(event.clipboardData) && take(event.clipboardData, onPicture),
        },
      }),
    ],
  });

const hasText = (data: DataTransfer | null) => data?.types.some((type) => type.startsWith('text/')) ?? false;

/** @returns whether there were files */
function take(data: DataTransfer | null, onPicture: (file: File) => void): boolean {
  const files = [...(data?.files ?? [])];
  const picture = files.find(({ type }) => EDITION_PICTURE_TYPES.includes(type));
  if (picture) onPicture(picture);
  return files.length > 0;
}
