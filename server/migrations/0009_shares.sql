-- Lists of favorites that are shown to people without an account, who vote and comment; what goes through each key, by
-- endpoint; and who still uses a secret that is being replaced.

-- The link to a share is made from its ids and a secret of the service, so it stands nowhere in here.
CREATE TABLE share (
  account_id  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  id          uuid NOT NULL,
  title       text NOT NULL,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  -- The person who made it; null once they are deleted.
  created_by  text,
  show_prices boolean NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX share_end ON share (account_id, expires_at);

-- A favorite as it was when it was shared. `favorite_id` may point at one that is gone: then `seen` is what is known.
CREATE TABLE share_item (
  account_id  uuid NOT NULL,
  share_id    uuid NOT NULL,
  id          uuid NOT NULL,
  place       smallint NOT NULL,
  favorite_id uuid NOT NULL,
  name        text NOT NULL,
  domain      text NOT NULL,
  note        text,
  seen        jsonb NOT NULL,
  PRIMARY KEY (account_id, share_id, id),
  CONSTRAINT share_item_share FOREIGN KEY (account_id, share_id) REFERENCES share (account_id, id) ON DELETE CASCADE
);

-- `voter` is the hash of a number that the voter's own browser has made up; `name` is what they call themselves.
CREATE TABLE share_vote (
  account_id uuid NOT NULL,
  share_id   uuid NOT NULL,
  item_id    uuid NOT NULL,
  voter      bytea NOT NULL,
  up         boolean NOT NULL,
  name       text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, share_id, item_id, voter),
  CONSTRAINT share_vote_item FOREIGN KEY (account_id, share_id, item_id) REFERENCES share_item (account_id, share_id, id)
    ON DELETE CASCADE
);

CREATE TABLE share_comment (
  account_id uuid NOT NULL,
  share_id   uuid NOT NULL,
  id         uuid NOT NULL,
  -- Null: about the list as a whole.
  item_id    uuid,
  author     text NOT NULL,
  text       text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, share_id, id),
  CONSTRAINT share_comment_share FOREIGN KEY (account_id, share_id) REFERENCES share (account_id, id) ON DELETE CASCADE
);

-- For the favorites that have changed since a moment.
CREATE INDEX favorite_change_when ON favorite_change (account_id, created_at);

-- The first characters of a secret, so that one that is being replaced can be told from the new one. Of those that were
-- replaced before this they are not known.
ALTER TABLE key_secret ADD COLUMN prefix text NOT NULL DEFAULT '';
ALTER TABLE key_secret NO FORCE ROW LEVEL SECURITY;
ALTER TABLE api_key NO FORCE ROW LEVEL SECURITY;
UPDATE key_secret SET prefix = api_key.prefix FROM api_key
  WHERE api_key.account_id = key_secret.account_id AND api_key.id = key_id AND key_secret.expires_at IS NULL;
ALTER TABLE key_secret FORCE ROW LEVEL SECURITY;
ALTER TABLE api_key FORCE ROW LEVEL SECURITY;

-- `failed`: of the requests, those that were answered with a status of 400 or above.
CREATE TABLE key_traffic (
  account_id uuid NOT NULL,
  key_id     uuid NOT NULL,
  day        date NOT NULL,
  endpoint   text NOT NULL,
  requests   bigint NOT NULL,
  failed     bigint NOT NULL,
  PRIMARY KEY (account_id, key_id, day, endpoint),
  CONSTRAINT key_traffic_key FOREIGN KEY (account_id, key_id) REFERENCES api_key (account_id, id) ON DELETE CASCADE
);
CREATE INDEX key_traffic_day ON key_traffic (account_id, day);

-- Written only while a secret has been replaced and still works.
CREATE TABLE retiring_use (
  account_id uuid NOT NULL,
  key_id     uuid NOT NULL,
  prefix     text NOT NULL,
  address    text NOT NULL,
  user_agent text NOT NULL,
  requests   bigint NOT NULL,
  last_at    timestamptz NOT NULL,
  PRIMARY KEY (account_id, key_id, prefix, address, user_agent),
  CONSTRAINT retiring_use_key FOREIGN KEY (account_id, key_id) REFERENCES api_key (account_id, id) ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON
  share, share_item, share_vote, share_comment, key_traffic, retiring_use
  TO namewright_app;

DO $$
DECLARE
  tenant text;
BEGIN
  FOREACH tenant IN ARRAY ARRAY['share', 'share_item', 'share_vote', 'share_comment', 'key_traffic', 'retiring_use'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY own ON %I USING (account_id = acting_account())', tenant);
  END LOOP;
END
$$;

-- What a node has counted of many accounts, in one round trip: it acts as each of them in turn. Every row is written in
-- the order of its key, so that two nodes never wait for each other, and a key that is just being deleted is passed by,
-- so that neither does a deletion. Nothing is written of a key that is gone.
--
-- `tallies`: [{account, counts: [{key, day, endpoint, requests, failed}], uses: [{key, prefix, address, user_agent,
-- requests, last_at}]}]. Of a secret that is being replaced at most `most_uses` rows are kept, or a little more.
CREATE FUNCTION note_traffic(tallies jsonb, most_uses integer) RETURNS void
  LANGUAGE plpgsql SET search_path = public, pg_temp
  AS $$
  DECLARE
    one uuid;
    tally jsonb;
  BEGIN
    FOR one, tally IN
      SELECT (entry ->> 'account')::uuid, entry FROM jsonb_array_elements(tallies) entry ORDER BY 1
    LOOP
      PERFORM set_config('namewright.account_id', one::text, true);
      INSERT INTO key_traffic AS known (account_id, key_id, day, endpoint, requests, failed)
        SELECT one, k.id, told.day, told.endpoint, told.requests, told.failed
        FROM jsonb_to_recordset(tally -> 'counts')
          AS told (key uuid, day date, endpoint text, requests bigint, failed bigint)
        JOIN api_key k ON k.account_id = one AND k.id = told.key
        ORDER BY k.id, told.day, told.endpoint FOR KEY SHARE OF k SKIP LOCKED
        ON CONFLICT (account_id, key_id, day, endpoint) DO UPDATE
          SET requests = known.requests + excluded.requests, failed = known.failed + excluded.failed;
      INSERT INTO retiring_use AS known (account_id, key_id, prefix, address, user_agent, requests, last_at)
        SELECT one, k.id, told.prefix, told.address, told.user_agent, told.requests, told.last_at
        FROM jsonb_to_recordset(tally -> 'uses')
          AS told (key uuid, prefix text, address text, user_agent text, requests bigint, last_at timestamptz)
        JOIN api_key k ON k.account_id = one AND k.id = told.key
        WHERE most_uses > (SELECT count(*) FROM retiring_use u
            WHERE u.account_id = one AND u.key_id = k.id AND u.prefix = told.prefix)
          OR EXISTS (SELECT FROM retiring_use u WHERE u.account_id = one AND u.key_id = k.id AND u.prefix = told.prefix
            AND u.address = told.address AND u.user_agent = told.user_agent)
        ORDER BY k.id, told.prefix, told.address, told.user_agent FOR KEY SHARE OF k SKIP LOCKED
        ON CONFLICT (account_id, key_id, prefix, address, user_agent) DO UPDATE
          SET requests = known.requests + excluded.requests, last_at = greatest(known.last_at, excluded.last_at);
    END LOOP;
  END
  $$;
