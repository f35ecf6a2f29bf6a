import { type FileProblem, nameFromFile } from './check-file';

/** Checks a picked recording, with code that is loaded for the first one. Without it, the server checks the upload. */
export async function problemOfAudio(
  file: File,
  installation: { convertsAudio: boolean },
): Promise<FileProblem | null> {
  const checks = await import('./check-audio').catch(() => null);
  return checks ? checks.audioFileProblem(file, installation) : null;
}

/** The name of the episode that a file becomes: its own title, or the file's name. */
export async function nameOfAudio(file: File): Promise<string> {
  const titles = await import('./title-in-file').catch(() => null);
  return titles ? titles.episodeNameIn(file) : nameFromFile(file.name);
}
