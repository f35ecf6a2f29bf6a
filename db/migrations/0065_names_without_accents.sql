-- Names of contacts are searched without accents. The dictionary is named, so that the function can be immutable.
CREATE FUNCTION plain_text(txt text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(public.unaccent('public.unaccent'::regdictionary, txt))
$$;--> statement-breakpoint
CREATE INDEX "contacts_plain_parts" ON "contacts" USING gin (plain_text("name") gin_trgm_ops) WHERE octet_length("contacts"."name") <> char_length("contacts"."name");--> statement-breakpoint
CREATE INDEX "contacts_plain_starts" ON "contacts" USING btree ("creator_id",plain_text("name") text_pattern_ops) WHERE octet_length("contacts"."name") <> char_length("contacts"."name");