import { z } from 'zod';
import { COMPONENTS, SEVERITIES } from '~/db/values/status';
import { fields } from '../../base/fields';
import { INCIDENT_LIMITS } from '../../limits/status';

/** A time as `2026-12-01T18:00`, in UTC. */
const moment = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value) ? `${value}:00Z` : value),
  fields.instant(),
);
const text = fields.text(INCIDENT_LIMITS.textLength).refine((value) => value !== '', { error: 'field.required' });

/** The next text of an incident; blank lines divide its paragraphs. */
export const incidentText = z.object({ textEn: text, textEs: text });

/** `components`: names, separated by commas. `from`: by default now. */
export const openIncident = incidentText.extend({
  titleEn: fields.line(INCIDENT_LIMITS.titleLength),
  titleEs: fields.line(INCIDENT_LIMITS.titleLength),
  severity: fields.oneOf(SEVERITIES).default('minor'),
  components: z
    .string()
    .default('')
    .transform((names) => [...new Set(names.split(/[\s,]+/).filter(Boolean))])
    .pipe(z.array(z.enum(COMPONENTS, { error: 'field.invalid' }))),
  from: moment.optional(),
});

/** `at`: by default now. */
export const resolveIncident = incidentText.extend({ at: moment.optional() });

export type OpenIncident = z.infer<typeof openIncident>;
export type IncidentText = z.infer<typeof incidentText>;
export type ResolveIncident = z.infer<typeof resolveIncident>;
