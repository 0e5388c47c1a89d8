-- Watched favorites: which domains are looked at again and again, who is told of a change, and what has changed.
--
-- Many accounts may watch the same domain; it is looked at once for all of them. Triggers on `favorite` keep both
-- lists right, so that whoever writes a favorite need not know of them. A domain that nobody watches any more goes
-- with its last favorite.
--
-- Whoever holds several of these rows locks a favorite before the domains, and domains in the order of their names.

-- Events about the same thing are told in the order in which they came about.
ALTER TABLE event ADD COLUMN subject text;

-- Belongs to no tenant: it says what is so of a domain, and not who wants to know. Everything after `joins` is what the
-- last look has told (watch/facts.ts); null until there was one.
CREATE TABLE watched_domain (
  domain           text PRIMARY KEY,
  -- What follows the first label. A registry's share of a tick goes by it.
  suffix           text NOT NULL,
  since            timestamptz NOT NULL,
  next_at          timestamptz NOT NULL,
  -- Looked at, and somebody who could know had no room for the question.
  waits            boolean NOT NULL DEFAULT false,
  -- Who is looking at it now, and until when that is believed.
  claim            uuid,
  claimed_until    timestamptz,
  -- How often somebody has begun to watch it: a look that began before does not count for who came after.
  joins            bigint NOT NULL DEFAULT 0,
  failures         integer NOT NULL DEFAULT 0,
  checked_at       timestamptz,
  changed_at       timestamptz,
  available        boolean,
  sources          text[] NOT NULL DEFAULT '{}',
  price            text,
  priced_by        text,
  asked            text,
  priced_at        timestamptz,
  registered_until timestamptz,
  lapsed_at        timestamptz,
  ends_asked_at    timestamptz
);
CREATE INDEX watched_domain_due ON watched_domain (suffix, waits, next_at, domain);

-- Belongs to no tenant: it is how those who watch a domain are found. `is_compared`: its favorite has been held against
-- a look at the domain since it is watched.
CREATE TABLE watcher (
  domain      text NOT NULL REFERENCES watched_domain (domain),
  account_id  uuid NOT NULL,
  favorite_id uuid NOT NULL,
  is_compared boolean NOT NULL DEFAULT false,
  PRIMARY KEY (domain, account_id)
);

CREATE TABLE favorite_change (
  account_id  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  favorite_id uuid NOT NULL,
  id          uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('available', 'taken', 'price_changed')),
  before      jsonb NOT NULL,
  after       jsonb NOT NULL,
  PRIMARY KEY (account_id, favorite_id, id),
  CONSTRAINT favorite_change_favorite FOREIGN KEY (account_id, favorite_id) REFERENCES favorite (account_id, id)
    ON DELETE CASCADE
);

-- Those that are watched already. The owner of a table with a forced policy sees nothing of it either.
ALTER TABLE favorite NO FORCE ROW LEVEL SECURITY;
INSERT INTO watched_domain (domain, suffix, since, next_at)
  SELECT DISTINCT domain, substr(domain, strpos(domain, '.') + 1), now(), now() FROM favorite WHERE watch;
INSERT INTO watcher (domain, account_id, favorite_id) SELECT domain, account_id, id FROM favorite WHERE watch;
ALTER TABLE favorite FORCE ROW LEVEL SECURITY;

GRANT SELECT, INSERT, UPDATE, DELETE ON watched_domain, watcher, favorite_change TO namewright_app;

ALTER TABLE favorite_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE favorite_change FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON favorite_change USING (account_id = acting_account());
-- Anyone may find who watches a domain, that being its purpose; only the account itself may write it.
ALTER TABLE watcher ENABLE ROW LEVEL SECURITY;
ALTER TABLE watcher FORCE ROW LEVEL SECURITY;
CREATE POLICY find ON watcher FOR SELECT USING (true);
CREATE POLICY own_insert ON watcher FOR INSERT WITH CHECK (account_id = acting_account());
CREATE POLICY own_update ON watcher FOR UPDATE USING (account_id = acting_account());
CREATE POLICY own_delete ON watcher FOR DELETE USING (account_id = acting_account());

-- Locked first: who is just beginning to watch one of them holds its row, and is seen by the second statement.
CREATE FUNCTION forget_unwatched(domains text[]) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
  BEGIN
    PERFORM FROM watched_domain WHERE domain = ANY (domains) ORDER BY domain FOR UPDATE;
    DELETE FROM watched_domain w WHERE domain = ANY (domains)
      AND NOT EXISTS (SELECT FROM watcher v WHERE v.domain = w.domain);
  END
  $$;

CREATE FUNCTION favorite_watched() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
  BEGIN
    IF new.watch THEN
      INSERT INTO watched_domain AS known (domain, suffix, since, next_at)
        VALUES (new.domain, substr(new.domain, strpos(new.domain, '.') + 1), now(), now())
        ON CONFLICT (domain) DO UPDATE SET joins = known.joins + 1, next_at = least(known.next_at, excluded.next_at);
      INSERT INTO watcher (domain, account_id, favorite_id) VALUES (new.domain, new.account_id, new.id);
    ELSE
      DELETE FROM watcher WHERE domain = new.domain AND account_id = new.account_id;
      PERFORM forget_unwatched(ARRAY[new.domain]);
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER favorite_came AFTER INSERT ON favorite
  FOR EACH ROW WHEN (new.watch) EXECUTE FUNCTION favorite_watched();
CREATE TRIGGER favorite_turned AFTER UPDATE OF watch ON favorite
  FOR EACH ROW WHEN (old.watch <> new.watch) EXECUTE FUNCTION favorite_watched();

-- Once for all of them: an account may end with a hundred thousand.
CREATE FUNCTION favorites_gone() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
  DECLARE
    domains text[] := ARRAY(SELECT domain FROM gone WHERE watch);
  BEGIN
    IF cardinality(domains) > 0 THEN
      DELETE FROM watcher USING gone WHERE watcher.domain = gone.domain AND watcher.account_id = gone.account_id;
      PERFORM forget_unwatched(domains);
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER favorite_went AFTER DELETE ON favorite REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION favorites_gone();

-- What is known of a favorite now: while nothing has changed, only the time of the last look has, and that is written
-- once for all who watch the domain.
CREATE FUNCTION current_of(f favorite) RETURNS jsonb
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$
    SELECT CASE WHEN NOT f.watch THEN f.current ELSE coalesce((
      SELECT f.current || jsonb_build_object('checked_at', to_char(w.checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM watcher v JOIN watched_domain w ON w.domain = v.domain
      WHERE v.domain = f.domain AND v.account_id = f.account_id AND v.is_compared
        AND w.checked_at > (f.current ->> 'checked_at')::timestamptz), f.current) END
  $$;
