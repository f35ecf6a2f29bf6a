import { type ReactNode, useRef } from 'react';

/** A hidden file input and a function that opens it. The same file can be picked twice in a row. */
export function useFilePicker(
  accept: string,
  label: string,
  onFile: (file: File) => void,
): { input: ReactNode; open: () => void } {
  const element = useRef<HTMLInputElement>(null);
  const input = (
    <input
      ref={element}
      type="file"
      accept={accept}
      className="hidden-visually"
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        const [file] = event.currentTarget.files ?? [];
        if (file) onFile(file);
        event.currentTarget.value = '';
      }}
    />
  );
  return { input, open: () => element.current?.click() };
}
