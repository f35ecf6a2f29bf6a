/**
 * Checks the files that a user picks for one field, or pictures that are still being cut. Reading them takes varying
 * time, and only the latest pick counts.
 * @returns a check whose result is null if the user picked another file in the meantime
 */
export function latestPick() {
  let latest: object | null = null;
  return async <Picked extends object, Problem>(
    picked: Picked,
    check: (picked: Picked) => Promise<Problem | null>,
  ): Promise<{ problem: Problem | null } | null> => {
    latest = picked;
    const problem = await check(picked);
    return latest === picked ? { problem } : null;
  };
}
