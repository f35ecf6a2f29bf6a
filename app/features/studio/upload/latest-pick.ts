/**
 * Checks what a user picks for one field: files, or pictures that are still being cut. Reading them takes different
 * times, and only the last one counts.
 * @returns a check whose result is null if something else was picked in the meantime
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
