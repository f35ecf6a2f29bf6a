ALTER TABLE "episode_search" DROP CONSTRAINT "episode_search_episode_id_episodes_id_fk";
--> statement-breakpoint
ALTER TABLE "product_search" DROP CONSTRAINT "product_search_product_id_products_id_fk";--> statement-breakpoint
-- What follows is written by hand (docs/decisions/0167). The rows of the search are written at the commit, so their locks
-- are always a transaction's last ones: the same order everywhere prevents deadlocks.
CREATE OR REPLACE FUNCTION product_changed_for_search() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE FUNCTION episode_changed_for_search() RETURNS trigger LANGUAGE plpgsql AS $$
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
DROP TRIGGER products_for_search ON products;--> statement-breakpoint
DROP TRIGGER changed_products_for_search ON products;--> statement-breakpoint
DROP TRIGGER changed_creators_for_search ON creators;--> statement-breakpoint
DROP TRIGGER new_creators_for_search ON creators;--> statement-breakpoint
DROP TRIGGER episodes_for_search ON episodes;--> statement-breakpoint
DROP TRIGGER changed_episodes_for_search ON episodes;--> statement-breakpoint
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
