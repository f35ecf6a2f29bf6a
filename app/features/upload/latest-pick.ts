type Check<Problem> = (file: File) => Promise<Problem | null>;

/**
 * Checks the files that a user picks for one field. Reading them takes different times, and only the last one counts.
 * @returns a check whose result is null if another file was picked in the meantime
 */
export function latestPick() {
  let latest: File | null = null;
  return async <Problem>(file: File, check: Check<Problem>): Promise<{ problem: Problem | null } | null> => {
    latest = file;
    const problem = await check(file);
    return latest === file ? { problem } : null;
  };
}
