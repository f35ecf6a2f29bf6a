/** What a document did that XML does not allow, or that is not followed (`doctype`). */
export type Fault =
  | 'bare_ampersand'
  | 'unknown_entity'
  | 'bare_less_than'
  | 'broken_attribute'
  | 'unclosed_cdata'
  /** Sound, but it looks as if the end of one section was missing and that of a later one closed it. */
  | 'suspect_cdata'
  | 'unclosed_comment'
  | 'unclosed_tag'
  | 'stray_end_tag'
  | 'doctype'
  | 'too_many_tags'
  | 'too_deep'
  | 'text_too_long'
  | 'too_many_attributes';
