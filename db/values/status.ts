/** The parts of an installation that it can check from inside, in the order of the status page. */
export const COMPONENTS = ['database', 'storage', 'jobs', 'emails', 'payments'] as const;
export type Component = (typeof COMPONENTS)[number];

/** `minor`: something is slow or fails for some people. `major`: most people can't use a component. */
export const SEVERITIES = ['minor', 'major'] as const;
export type Severity = (typeof SEVERITIES)[number];
