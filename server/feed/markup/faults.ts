/** Something that XML forbids, or that the scanner does not follow (`doctype`). */
export type Fault =
  | 'bare_ampersand'
  | 'unknown_entity'
  | 'bare_less_than'
  | 'broken_attribute'
  | 'unclosed_cdata'
  /** Valid, but the end of one section seems to be missing, so that the end of a later section closes it. */
  | 'suspect_cdata'
  | 'unclosed_comment'
  | 'unclosed_tag'
  | 'stray_end_tag'
  | 'doctype'
  | 'too_many_tags'
  | 'too_deep'
  | 'text_too_long'
  | 'too_many_attributes';
