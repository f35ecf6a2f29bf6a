-- What Discover searches (docs/decisions/0167), kept up to date by triggers on shows, creators and episodes.
-- Text without accents and punctuation, in lower case. Characters of scripts without spaces become words of their own.
CREATE FUNCTION search_text(txt text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(
    regexp_replace(lower(unaccent(coalesce(txt, ''))), '([\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])', ' \1 ', 'g'),
    '[[:punct:][:space:][:cntrl:]]+', ' ', 'g'))
$$;--> statement-breakpoint
-- HTML as plain text, for searching only.
CREATE FUNCTION search_text_of_html(html text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT search_text(left(regexp_replace(html, '<[^>]*>|&[a-z]{2,6};|&#\d+;', ' ', 'g'), 20000))
$$;--> statement-breakpoint
-- The text search configuration of a language tag; `simple` for languages without a stemmer.
CREATE FUNCTION search_config(tag text) RETURNS regconfig LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    (SELECT oid::regconfig FROM pg_ts_config WHERE cfgnamespace = 'pg_catalog'::regnamespace AND cfgname = (CASE split_part(lower(tag), '-', 1)
      WHEN 'ar' THEN 'arabic' WHEN 'hy' THEN 'armenian' WHEN 'eu' THEN 'basque' WHEN 'ca' THEN 'catalan' WHEN 'da' THEN 'danish'
      WHEN 'nl' THEN 'dutch' WHEN 'en' THEN 'english' WHEN 'fi' THEN 'finnish' WHEN 'fr' THEN 'french' WHEN 'de' THEN 'german'
      WHEN 'el' THEN 'greek' WHEN 'hi' THEN 'hindi' WHEN 'hu' THEN 'hungarian' WHEN 'id' THEN 'indonesian' WHEN 'ga' THEN 'irish'
      WHEN 'it' THEN 'italian' WHEN 'lt' THEN 'lithuanian' WHEN 'ne' THEN 'nepali' WHEN 'no' THEN 'norwegian' WHEN 'nb' THEN 'norwegian'
      WHEN 'nn' THEN 'norwegian' WHEN 'pt' THEN 'portuguese' WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian' WHEN 'sr' THEN 'serbian'
      WHEN 'es' THEN 'spanish' WHEN 'sv' THEN 'swedish' WHEN 'ta' THEN 'tamil' WHEN 'tr' THEN 'turkish' WHEN 'yi' THEN 'yiddish' END)),
    'pg_catalog.simple'::regconfig)
$$;--> statement-breakpoint
-- All words, in the form that they have in any of the languages: nobody says in which one they search.
CREATE FUNCTION search_query(txt text) RETURNS tsquery LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(DISTINCT '(' || found.query || ')', ' | '), '')::tsquery
  FROM (SELECT plainto_tsquery(oid, search_text(txt))::text AS query FROM pg_ts_config WHERE cfgnamespace = 'pg_catalog'::regnamespace) found
  WHERE found.query <> ''
$$;--> statement-breakpoint
CREATE FUNCTION index_product_for_search(id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_search AS s (product_id, kind, category, language, is_free, sort_name, created_at, names, about)
  SELECT p.id, p.kind, p.category, split_part(lower(p.language), '-', 1), p.price_minor IS NULL, search_text(p.name), p.created_at,
    strip(to_tsvector(search_config(p.language), search_text(p.name || ' ' || c.name))),
    strip(to_tsvector(search_config(p.language), search_text(p.description)))
  FROM products p JOIN creators c ON c.id = p.creator_id
  WHERE p.id = index_product_for_search.id AND p.is_listed AND p.retired_at IS NULL AND p.archived_at IS NULL AND c.closed_at IS NULL
    AND EXISTS (SELECT FROM episode_search e WHERE e.product_id = p.id)
  ON CONFLICT (product_id) DO UPDATE SET kind = excluded.kind, category = excluded.category, language = excluded.language,
    is_free = excluded.is_free, sort_name = excluded.sort_name, created_at = excluded.created_at, names = excluded.names, about = excluded.about;
  IF NOT FOUND THEN
    DELETE FROM product_search s WHERE s.product_id = index_product_for_search.id;
  END IF;
END $$;--> statement-breakpoint
-- The listed episodes of a product, or one of them: published, not deleted, and open unless the product has a price.
CREATE FUNCTION index_episodes_for_search(of_product bigint, only_episode bigint DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM episode_search s USING episodes e, products p
  WHERE s.product_id = of_product AND (only_episode IS NULL OR s.episode_id = only_episode) AND e.id = s.episode_id AND p.id = of_product
    AND NOT (e.status = 'published' AND e.deleted_at IS NULL AND (e.type <> 'private' OR p.price_minor IS NOT NULL));
  INSERT INTO episode_search AS s (episode_id, product_id, words)
  SELECT e.id, e.product_id,
    strip(to_tsvector(search_config(p.language), search_text(e.name) || ' ' || search_text_of_html(e.description)))
  FROM episodes e JOIN products p ON p.id = e.product_id
  WHERE e.product_id = of_product AND (only_episode IS NULL OR e.id = only_episode)
    AND e.status = 'published' AND e.deleted_at IS NULL AND (e.type <> 'private' OR p.price_minor IS NOT NULL)
  ORDER BY e.id
  ON CONFLICT (episode_id) DO UPDATE SET words = excluded.words;
END $$;--> statement-breakpoint
-- The rows of the search are written at the commit, so their locks are always a transaction's last ones: the same order
-- everywhere prevents deadlocks.
CREATE FUNCTION product_changed_for_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM product_search s WHERE s.product_id = OLD.id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND (NEW.language <> OLD.language OR (NEW.price_minor IS NULL) <> (OLD.price_minor IS NULL)) THEN
    PERFORM index_episodes_for_search(NEW.id);
  END IF;
  PERFORM index_product_for_search(NEW.id);
  IF NEW.is_listed AND (TG_OP = 'INSERT' OR NEW.name <> OLD.name OR NOT OLD.is_listed) THEN
    INSERT INTO new_search_names (name) VALUES (NEW.name);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION creator_changed_for_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM index_product_for_search(p.id) FROM (SELECT id FROM products WHERE creator_id = NEW.id ORDER BY id) p;
  INSERT INTO new_search_names (name) SELECT NEW.name WHERE NEW.name <> '';
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION episode_changed_for_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_product bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.product_id ELSE NEW.product_id END;
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM episode_search s WHERE s.episode_id = OLD.id;
  ELSIF NEW.status = 'published' OR (TG_OP = 'UPDATE' AND OLD.status = 'published') THEN
    PERFORM index_episodes_for_search(of_product, NEW.id);
    IF NEW.status = 'published' AND NEW.deleted_at IS NULL AND NEW.type <> 'private' THEN
      INSERT INTO new_search_names (name) VALUES (NEW.name);
    END IF;
  ELSE
    RETURN NULL;
  END IF;
  -- the first listed episode brings its product, and the last one takes it away
  IF EXISTS (SELECT FROM product_search s WHERE s.product_id = of_product) <> EXISTS (SELECT FROM episode_search s WHERE s.product_id = of_product) THEN
    PERFORM index_product_for_search(of_product);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER products_for_search AFTER INSERT OR DELETE ON products DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION product_changed_for_search();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER changed_products_for_search
  AFTER UPDATE OF name, description, category, language, price_minor, is_listed, archived_at, retired_at ON products DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((OLD.name, OLD.description, OLD.category, OLD.language, OLD.price_minor IS NULL, OLD.is_listed, OLD.archived_at, OLD.retired_at)
    IS DISTINCT FROM (NEW.name, NEW.description, NEW.category, NEW.language, NEW.price_minor IS NULL, NEW.is_listed, NEW.archived_at, NEW.retired_at))
  EXECUTE FUNCTION product_changed_for_search();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER changed_creators_for_search AFTER UPDATE OF name, closed_at ON creators DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((OLD.name, OLD.closed_at) IS DISTINCT FROM (NEW.name, NEW.closed_at)) EXECUTE FUNCTION creator_changed_for_search();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER new_creators_for_search AFTER INSERT ON creators DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION creator_changed_for_search();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER episodes_for_search AFTER INSERT ON episodes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'published') EXECUTE FUNCTION episode_changed_for_search();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER changed_episodes_for_search AFTER UPDATE OF name, description, type, status, deleted_at ON episodes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((OLD.name, OLD.description, OLD.type, OLD.status, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.description, NEW.type, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION episode_changed_for_search();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER deleted_episodes_for_search AFTER DELETE ON episodes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status = 'published' AND OLD.deleted_at IS NULL) EXECUTE FUNCTION episode_changed_for_search();
