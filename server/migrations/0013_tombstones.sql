-- Which accounts and people are gone, so that a restored backup can forget them again.
--
-- A tombstone is the hash of an id: enough to find somebody who came back, and nothing to find somebody who is gone by. It is
-- written by the deletion itself, whoever does it. Nobody but the owner reads it.
CREATE TABLE tombstone (
  kind       text NOT NULL CHECK (kind IN ('account', 'person')),
  hash       bytea NOT NULL,
  deleted_at timestamptz NOT NULL,
  PRIMARY KEY (kind, hash)
);

-- Its owner may write what the roles that delete may not.
CREATE FUNCTION bury() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
  AS $$
BEGIN
  INSERT INTO public.tombstone VALUES (TG_ARGV[0], sha256(convert_to(OLD.id::text, 'UTF8')), clock_timestamp())
    ON CONFLICT (kind, hash) DO UPDATE SET deleted_at = excluded.deleted_at;
  -- Longer than backups are kept.
  DELETE FROM public.tombstone WHERE deleted_at < clock_timestamp() - interval '400 days';
  RETURN NULL;
END
$$;
CREATE TRIGGER bury AFTER DELETE ON account FOR EACH ROW EXECUTE FUNCTION bury('account');
CREATE TRIGGER bury AFTER DELETE ON people."user" FOR EACH ROW EXECUTE FUNCTION bury('person');
