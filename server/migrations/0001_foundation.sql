-- Accounts, keys, quota, history, favorites, idempotent answers.
--
-- Every tenant's table: the primary key and every unique key start with account_id (so that the table can be
-- distributed by it later), row-level security is forced, and the only policy compares account_id with the setting
-- that the application makes local to each transaction. Without that setting nothing is visible.

DO $$
BEGIN
  -- Asked first, so that an owner without CREATEROLE can migrate where an administrator has made the role.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'namewright_app') THEN
    CREATE ROLE namewright_app NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
EXCEPTION
  -- The second one is what a concurrent CREATE ROLE in another database of the same server looks like.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
DO $$
BEGIN
  EXECUTE format('GRANT namewright_app TO %I', current_user);
EXCEPTION
  -- The owner needs the role only where it also serves; otherwise an administrator grants it to whoever does.
  WHEN unique_violation OR internal_error OR insufficient_privilege THEN NULL;
END
$$;
GRANT USAGE ON SCHEMA public TO namewright_app;

CREATE FUNCTION acting_account() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('namewright.account_id', true), '')::uuid $$;

CREATE TABLE account (
  id           uuid PRIMARY KEY,
  name         text NOT NULL,
  language     text,
  -- Days that history is kept: null is for ever, 0 is not at all.
  history_days integer CHECK (history_days >= 0),
  created_at   timestamptz NOT NULL
);

CREATE TABLE api_key (
  account_id   uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  id           uuid NOT NULL,
  name         text NOT NULL,
  prefix       text NOT NULL,
  scopes       text[] NOT NULL,
  per_minute   integer NOT NULL CHECK (per_minute > 0),
  burst        integer NOT NULL CHECK (burst > 0),
  per_day      bigint CHECK (per_day >= 0),
  per_month    bigint CHECK (per_month >= 0),
  allowed_ips  text[] NOT NULL DEFAULT '{}',
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  PRIMARY KEY (account_id, id)
);

-- Belongs to no tenant: it is how a tenant is found. Only hashes; a key that is being rotated has two.
CREATE TABLE key_secret (
  hash       bytea PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id     uuid NOT NULL,
  expires_at timestamptz
);
CREATE INDEX key_secret_of_key ON key_secret (account_id, key_id);

-- Belongs to no tenant: nodes read its last seconds to drop what they remember of a key.
CREATE TABLE key_change (
  changed_at timestamptz NOT NULL,
  key_id     uuid NOT NULL,
  PRIMARY KEY (changed_at, key_id)
);

-- What has been handed out of a key's budget in a period: the sum of its blocks.
CREATE TABLE quota_period (
  account_id uuid NOT NULL,
  key_id     uuid NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('day', 'month')),
  starts_on  date NOT NULL,
  leased     bigint NOT NULL DEFAULT 0 CHECK (leased >= 0),
  PRIMARY KEY (account_id, key_id, kind, starts_on)
);

-- A block of suggestions, leased out of the periods and spent request by request. The constraint is what makes
-- overspending impossible; closing a block sets granted = used, so nothing can be spent from it any more.
CREATE TABLE quota_block (
  account_id  uuid NOT NULL,
  key_id      uuid NOT NULL,
  id          uuid NOT NULL,
  day         date NOT NULL,
  granted     bigint NOT NULL,
  used        bigint NOT NULL DEFAULT 0,
  -- Leased by a node without Redis, for one request.
  alone       boolean NOT NULL DEFAULT false,
  lease_until timestamptz NOT NULL,
  settle_by   timestamptz NOT NULL,
  closed_at   timestamptz,
  PRIMARY KEY (account_id, key_id, id),
  CONSTRAINT quota_block_not_overspent CHECK (used <= granted)
) WITH (fillfactor = 50);
CREATE INDEX quota_block_open ON quota_block (account_id, key_id) WHERE closed_at IS NULL;

CREATE TABLE history (
  account_id  uuid NOT NULL,
  id          uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  key_id      uuid NOT NULL,
  description text NOT NULL,
  count       smallint NOT NULL,
  language    text NOT NULL,
  options     jsonb NOT NULL,
  suggestions jsonb NOT NULL,
  PRIMARY KEY (account_id, id)
) PARTITION BY HASH (account_id);
DO $$
BEGIN
  FOR part IN 0..63 LOOP
    EXECUTE format('CREATE TABLE history_p%s PARTITION OF history FOR VALUES WITH (MODULUS 64, REMAINDER %s)', part, part);
  END LOOP;
END
$$;

CREATE TABLE favorite (
  account_id uuid NOT NULL,
  id         uuid NOT NULL,
  key_id     uuid NOT NULL,
  domain     text NOT NULL,
  name       text NOT NULL,
  note       text,
  tags       text[] NOT NULL DEFAULT '{}',
  watch      boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  saved      jsonb NOT NULL,
  current    jsonb NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT favorite_domain UNIQUE (account_id, domain)
);

-- The answer to a POST that carried an Idempotency-Key, written in the transaction of its effect: the primary key is
-- what makes the effect happen once.
CREATE TABLE idempotent_answer (
  account_id  uuid NOT NULL,
  key         text NOT NULL,
  fingerprint bytea NOT NULL,
  created_at  timestamptz NOT NULL,
  status      smallint NOT NULL,
  headers     jsonb NOT NULL,
  body        text NOT NULL,
  CONSTRAINT idempotent_once PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotent_answer_age ON idempotent_answer (account_id, created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON
  account, api_key, key_secret, key_change, quota_period, quota_block, history, favorite, idempotent_answer
  TO namewright_app;

DO $$
DECLARE
  tenant text;
BEGIN
  FOREACH tenant IN ARRAY ARRAY['api_key', 'quota_period', 'quota_block', 'history', 'favorite', 'idempotent_answer'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY own ON %I USING (account_id = acting_account())', tenant);
  END LOOP;
END
$$;
-- Anyone may find whose a hash is, that being its purpose; only its own account may write it.
ALTER TABLE key_secret ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_secret FORCE ROW LEVEL SECURITY;
CREATE POLICY find ON key_secret FOR SELECT USING (true);
CREATE POLICY own_insert ON key_secret FOR INSERT WITH CHECK (account_id = acting_account());
CREATE POLICY own_update ON key_secret FOR UPDATE USING (account_id = acting_account());
CREATE POLICY own_delete ON key_secret FOR DELETE USING (account_id = acting_account());

ALTER TABLE account ENABLE ROW LEVEL SECURITY;
ALTER TABLE account FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON account USING (id = acting_account());
