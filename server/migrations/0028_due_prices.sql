-- A price is what is charged today. Under these suffixes, which are sold for two years, it was what one year costs wherever
-- it was a list price, and whatever a registrar had quoted otherwise.

-- The price of its last check is from before. The next one is taken over, and nobody is told of it.
ALTER TABLE watched_domain ADD COLUMN is_price_outdated boolean NOT NULL DEFAULT false;
UPDATE watched_domain SET is_price_outdated = true WHERE suffix IN ('ai', 'com.ai', 'net.ai', 'off.ai', 'org.ai');

-- Doubles the price of one year. Which one that is shows in the amount: the registry itself has never charged less than
-- $140 for two years since this service exists.
CREATE FUNCTION pg_temp.due(price text) RETURNS text
  LANGUAGE sql IMMUTABLE
  AS $$
    SELECT CASE WHEN price ~ '^\$\d{1,3}\.\d\d$' AND substr(price, 2)::numeric < 140
      THEN '$' || (2 * substr(price, 2)::numeric)::text ELSE price END
  $$;
CREATE FUNCTION pg_temp.due(seen jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT seen || jsonb_build_object('price', pg_temp.due(seen ->> 'price')) $$;

UPDATE watched_domain SET price = pg_temp.due(price) WHERE is_price_outdated AND price IS NOT NULL;

-- The owner of a table with a forced policy sees nothing of it either.
ALTER TABLE favorite NO FORCE ROW LEVEL SECURITY;
UPDATE favorite SET saved = pg_temp.due(saved), current = pg_temp.due(current)
  WHERE domain ~ '^[^.]+\.((com|net|off|org)\.)?ai$';
ALTER TABLE favorite FORCE ROW LEVEL SECURITY;
ALTER TABLE share_item NO FORCE ROW LEVEL SECURITY;
UPDATE share_item SET seen = pg_temp.due(seen) WHERE domain ~ '^[^.]+\.((com|net|off|org)\.)?ai$';
ALTER TABLE share_item FORCE ROW LEVEL SECURITY;

DROP FUNCTION pg_temp.due(text);
DROP FUNCTION pg_temp.due(jsonb);
