import { useEffect, useRef, useState } from 'react';

/** Accepts files dropped anywhere on the page. @returns whether a file is being dragged over it */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;

  useEffect(() => {
    let depth = 0;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const on = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) => {
      const listen = (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        act(event);
        setIsDraggedOver(depth > 0);
      };
      window.addEventListener(name, listen);
      return () => window.removeEventListener(name, listen);
    };
    const offs = [
      on('dragenter', () => {
        depth += 1;
      }),
      on('dragover', () => {}),
      on('dragleave', () => {
        depth -= 1;
      }),
      on('drop', (event) => {
        depth = 0;
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length > 0) latest.current(files);
      }),
    ];
    return () => {
      for (const off of offs) off();
    };
  }, []);

  return isDraggedOver;
}
