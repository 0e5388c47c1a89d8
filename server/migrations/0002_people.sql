-- People, their teams, and what they let applications do.
--
-- Who somebody is lives in the schema `people`, which only the role namewright_people can read: password hashes,
-- sessions, second factors and tokens are out of reach of every statement that serves a request. The tables are
-- those Better Auth works on, with its names in snake case. What a tenant owns stays in `public`, under row-level
-- security as in the first migration.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'namewright_people') THEN
    CREATE ROLE namewright_people NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
DO $$
BEGIN
  EXECUTE format('GRANT namewright_people TO %I', current_user);
EXCEPTION
  WHEN unique_violation OR internal_error OR insufficient_privilege THEN NULL;
END
$$;

CREATE SCHEMA people;
GRANT USAGE ON SCHEMA people TO namewright_people, namewright_app;

-- The id is a UUID and also the id of the person's own account.
CREATE TABLE people."user" (
  id                 text PRIMARY KEY,
  name               text NOT NULL,
  email              text NOT NULL UNIQUE,
  email_verified     boolean NOT NULL,
  image              text,
  language           text,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  two_factor_enabled boolean
);

-- `token` is the SHA-256 of what the cookie carries. `account_id` is the account last chosen for an application.
CREATE TABLE people.session (
  id         text PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  token      text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  user_id    text NOT NULL REFERENCES people."user" (id) ON DELETE CASCADE,
  account_id text
);
CREATE INDEX session_of_user ON people.session (user_id);

-- One way to sign in: a password (provider `credential`, argon2id) or an identity at a provider.
CREATE TABLE people.login (
  id                       text PRIMARY KEY,
  account_id               text NOT NULL,
  provider_id              text NOT NULL,
  user_id                  text NOT NULL REFERENCES people."user" (id) ON DELETE CASCADE,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  password                 text,
  created_at               timestamptz NOT NULL DEFAULT now(),
  updated_at               timestamptz NOT NULL
);
CREATE INDEX login_user ON people.login (user_id);
CREATE UNIQUE INDEX login_identity ON people.login (provider_id, account_id);

-- What is under way: reset links, authorization codes, challenges. Identifiers are hashes.
CREATE TABLE people.verification (
  id         text PRIMARY KEY,
  identifier text NOT NULL,
  value      text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verification_identifier ON people.verification (identifier);
CREATE INDEX verification_age ON people.verification (expires_at);

-- Secret and recovery codes are encrypted.
CREATE TABLE people.two_factor (
  id                        text PRIMARY KEY,
  secret                    text NOT NULL,
  backup_codes              text NOT NULL,
  user_id                   text NOT NULL REFERENCES people."user" (id) ON DELETE CASCADE,
  verified                  boolean,
  failed_verification_count integer,
  locked_until              timestamptz
);
CREATE INDEX two_factor_user ON people.two_factor (user_id);

CREATE TABLE people.passkey (
  id            text PRIMARY KEY,
  name          text,
  public_key    text NOT NULL,
  user_id       text NOT NULL REFERENCES people."user" (id) ON DELETE CASCADE,
  credential_id text NOT NULL,
  counter       integer NOT NULL,
  device_type   text NOT NULL,
  backed_up     boolean NOT NULL,
  transports    text,
  created_at    timestamptz,
  aaguid        text
);
CREATE INDEX passkey_user ON people.passkey (user_id);
CREATE UNIQUE INDEX passkey_credential ON people.passkey (credential_id);

-- `reference_id` is the account that owns the client; none for clients that registered themselves.
CREATE TABLE people.oauth_client (
  id                                  text PRIMARY KEY,
  client_id                           text NOT NULL UNIQUE,
  client_secret                       text,
  client_discovery_id                 text,
  disabled                            boolean,
  skip_consent                        boolean,
  enable_end_session                  boolean,
  subject_type                        text,
  scopes                              jsonb,
  client_credentials_scopes           jsonb,
  user_id                             text REFERENCES people."user" (id) ON DELETE CASCADE,
  created_at                          timestamptz,
  updated_at                          timestamptz,
  name                                text,
  uri                                 text,
  icon                                text,
  contacts                            jsonb,
  tos                                 text,
  policy                              text,
  software_id                         text,
  software_version                    text,
  software_statement                  text,
  redirect_uris                       jsonb NOT NULL,
  post_logout_redirect_uris           jsonb,
  backchannel_logout_uri              text,
  backchannel_logout_session_required boolean,
  token_endpoint_auth_method          text,
  application_type                    text,
  jwks                                text,
  jwks_uri                            text,
  grant_types                         jsonb,
  response_types                      jsonb,
  require_pkce                        boolean,
  dpop_bound_access_tokens            boolean,
  reference_id                        text,
  metadata                            jsonb
);
CREATE INDEX oauth_client_user ON people.oauth_client (user_id);
CREATE INDEX oauth_client_owner ON people.oauth_client (reference_id);

CREATE TABLE people.oauth_resource (
  id                                text PRIMARY KEY,
  identifier                        text NOT NULL UNIQUE,
  name                              text NOT NULL,
  access_token_ttl                  integer,
  refresh_token_ttl                 integer,
  signing_algorithm                 text,
  signing_key_id                    text,
  allowed_scopes                    jsonb,
  custom_claims                     jsonb,
  dpop_bound_access_tokens_required boolean,
  disabled                          boolean,
  created_at                        timestamptz,
  updated_at                        timestamptz,
  policy_version                    integer,
  metadata                          jsonb
);

CREATE TABLE people.oauth_client_resource (
  id          text PRIMARY KEY,
  client_id   text NOT NULL REFERENCES people.oauth_client (client_id) ON DELETE CASCADE,
  resource_id text NOT NULL REFERENCES people.oauth_resource (identifier) ON DELETE CASCADE,
  metadata    jsonb,
  created_at  timestamptz,
  UNIQUE (client_id, resource_id)
);
CREATE INDEX oauth_client_resource_resource ON people.oauth_client_resource (resource_id);

-- Tokens are hashes. `reference_id` is the account that was chosen at consent.
CREATE TABLE people.oauth_refresh_token (
  id                         text PRIMARY KEY,
  token                      text NOT NULL UNIQUE,
  client_id                  text NOT NULL REFERENCES people.oauth_client (client_id) ON DELETE CASCADE,
  session_id                 text REFERENCES people.session (id) ON DELETE SET NULL,
  user_id                    text NOT NULL REFERENCES people."user" (id) ON DELETE CASCADE,
  reference_id               text,
  authorization_code_id      text,
  resources                  jsonb,
  requested_user_info_claims jsonb,
  expires_at                 timestamptz NOT NULL,
  created_at                 timestamptz NOT NULL,
  revoked                    timestamptz,
  rotated_at                 timestamptz,
  rotation_replay_response   text,
  rotation_replay_expires_at timestamptz,
  auth_time                  timestamptz,
  confirmation               jsonb,
  scopes                     jsonb NOT NULL
);
CREATE INDEX oauth_refresh_token_client ON people.oauth_refresh_token (client_id, user_id);
CREATE INDEX oauth_refresh_token_session ON people.oauth_refresh_token (session_id);
CREATE INDEX oauth_refresh_token_user ON people.oauth_refresh_token (user_id);
CREATE INDEX oauth_refresh_token_code ON people.oauth_refresh_token (authorization_code_id);
CREATE INDEX oauth_refresh_token_account ON people.oauth_refresh_token (reference_id);

CREATE TABLE people.oauth_access_token (
  id                         text PRIMARY KEY,
  token                      text NOT NULL UNIQUE,
  client_id                  text NOT NULL REFERENCES people.oauth_client (client_id) ON DELETE CASCADE,
  session_id                 text REFERENCES people.session (id) ON DELETE SET NULL,
  user_id                    text REFERENCES people."user" (id) ON DELETE CASCADE,
  reference_id               text,
  authorization_code_id      text,
  resources                  jsonb,
  requested_user_info_claims jsonb,
  refresh_id                 text REFERENCES people.oauth_refresh_token (id) ON DELETE CASCADE,
  expires_at                 timestamptz NOT NULL,
  created_at                 timestamptz NOT NULL,
  revoked                    timestamptz,
  confirmation               jsonb,
  scopes                     jsonb NOT NULL
);
CREATE INDEX oauth_access_token_client ON people.oauth_access_token (client_id);
CREATE INDEX oauth_access_token_session ON people.oauth_access_token (session_id);
CREATE INDEX oauth_access_token_user ON people.oauth_access_token (user_id);
CREATE INDEX oauth_access_token_code ON people.oauth_access_token (authorization_code_id);
CREATE INDEX oauth_access_token_refresh ON people.oauth_access_token (refresh_id);
CREATE INDEX oauth_access_token_account ON people.oauth_access_token (reference_id);
CREATE INDEX oauth_access_token_age ON people.oauth_access_token (expires_at);

CREATE TABLE people.oauth_consent (
  id                         text PRIMARY KEY,
  client_id                  text NOT NULL REFERENCES people.oauth_client (client_id) ON DELETE CASCADE,
  user_id                    text REFERENCES people."user" (id) ON DELETE CASCADE,
  reference_id               text,
  resources                  jsonb,
  requested_user_info_claims jsonb,
  scopes                     jsonb NOT NULL,
  created_at                 timestamptz NOT NULL,
  updated_at                 timestamptz NOT NULL
);
CREATE INDEX oauth_consent_client ON people.oauth_consent (client_id);
CREATE INDEX oauth_consent_user ON people.oauth_consent (user_id);
CREATE INDEX oauth_consent_account ON people.oauth_consent (reference_id);

CREATE TABLE people.oauth_client_assertion (
  id         text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- Accounts that a person was a member of once, where what they did is still told: to be found when they are deleted.
CREATE TABLE people.left_account (
  user_id    text NOT NULL REFERENCES people."user" (id) ON DELETE CASCADE,
  account_id text NOT NULL,
  PRIMARY KEY (user_id, account_id)
);

-- Links that make the first person; void as soon as there is one.
CREATE TABLE people.setup (
  hash       bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA people TO namewright_people;

CREATE FUNCTION acting_user() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('namewright.user_id', true), '') $$;

-- An application that may act for an account has a row among its keys, so that it has a quota, a history and an end
-- as a key does. Its id follows from the pair, so that whoever deletes a token can say whose it was.
ALTER TABLE api_key ADD COLUMN client_id text;
ALTER TABLE api_key ADD COLUMN created_by text;
ALTER TABLE api_key ADD CONSTRAINT api_key_client UNIQUE (account_id, client_id);

CREATE FUNCTION credential_id(account text, client text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT encode(substr(sha256(convert_to(account || ' ' || client, 'UTF8')), 1, 16), 'hex')::uuid $$;

-- However often it is renewed, what a person gave ends ninety days after they signed in to give it.
CREATE FUNCTION people.end_refreshing() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
  AS $$
  BEGIN
    new.expires_at := least(new.expires_at, coalesce(new.auth_time, new.created_at) + interval '90 days');
    RETURN new;
  END
  $$;
CREATE TRIGGER refresh_end BEFORE INSERT ON people.oauth_refresh_token
  FOR EACH ROW EXECUTE FUNCTION people.end_refreshing();

-- A refresh token that is revoked takes every access token of its grant with it (RFC 7009 §2.1); one that is only
-- exchanged for the next does not.
CREATE FUNCTION people.end_grant() RETURNS trigger
  LANGUAGE plpgsql SET search_path = people, pg_temp
  AS $$
  BEGIN
    DELETE FROM people.oauth_access_token WHERE authorization_code_id = new.authorization_code_id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER refresh_token_end AFTER UPDATE OF revoked ON people.oauth_refresh_token
  FOR EACH ROW WHEN (new.revoked IS NOT NULL AND new.rotated_at IS NULL) EXECUTE FUNCTION people.end_grant();

-- The one question about tokens that a request may ask: whose is the token with this hash?
CREATE FUNCTION people.find_token(hash text)
  RETURNS TABLE (account_id uuid, client_id text, user_id text, scopes text, resources text, expires_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = people, pg_temp
  AS $$
    SELECT coalesce(t.reference_id, c.reference_id)::uuid, t.client_id, t.user_id, t.scopes::text, t.resources::text, t.expires_at
    FROM people.oauth_access_token t JOIN people.oauth_client c ON c.client_id = t.client_id
    WHERE t.token = hash AND t.revoked IS NULL AND c.disabled IS NOT TRUE
      AND coalesce(t.reference_id, c.reference_id) IS NOT NULL
  $$;
REVOKE EXECUTE ON FUNCTION people.find_token(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION people.find_token(text) TO namewright_app;

-- A token that goes leaves a note, so that every node forgets what it remembers of it.
CREATE FUNCTION people.note_token_end() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
  DECLARE
    account text := coalesce(old.reference_id, (SELECT c.reference_id FROM people.oauth_client c WHERE c.client_id = old.client_id));
  BEGIN
    IF account IS NOT NULL AND old.expires_at > now() THEN
      INSERT INTO key_change (changed_at, key_id) VALUES (clock_timestamp(), credential_id(account, old.client_id))
      ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER token_end AFTER DELETE OR UPDATE OF revoked, expires_at ON people.oauth_access_token
  FOR EACH ROW EXECUTE FUNCTION people.note_token_end();

ALTER TABLE account ADD COLUMN currency text;

CREATE TABLE member (
  account_id uuid NOT NULL,
  user_id    text NOT NULL,
  role       text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, user_id)
);
CREATE INDEX member_user ON member (user_id);

-- The link carries the account and a random half, of which this is the hash.
CREATE TABLE invitation (
  account_id uuid NOT NULL,
  id         uuid NOT NULL,
  email      text NOT NULL,
  role       text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  hash       bytea NOT NULL,
  invited_by text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, id)
);

-- What happened to the doors of an account: keys, members, applications, sign-ins of its person.
CREATE TABLE security_event (
  account_id uuid NOT NULL,
  id         uuid NOT NULL,
  created_at timestamptz NOT NULL,
  action     text NOT NULL,
  actor      text,
  ip         text,
  detail     jsonb NOT NULL,
  PRIMARY KEY (account_id, id)
);

-- What an account wants to be told. `once` keeps the same thing from being told twice.
CREATE TABLE event (
  account_id uuid NOT NULL,
  id         uuid NOT NULL,
  created_at timestamptz NOT NULL,
  type       text NOT NULL,
  once       text NOT NULL,
  data       jsonb NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT event_once UNIQUE (account_id, once)
);

-- What is written when an account is already gone must not stay behind. Rarely written, all of them: the check costs
-- a look at the account's row. History, blocks and answers are written in the middle of every request, and not checked.
ALTER TABLE favorite ADD CONSTRAINT favorite_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE;
ALTER TABLE quota_period ADD CONSTRAINT quota_period_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE;
ALTER TABLE member ADD CONSTRAINT member_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE;
ALTER TABLE invitation ADD CONSTRAINT invitation_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE;
ALTER TABLE security_event ADD CONSTRAINT security_event_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE;
ALTER TABLE event ADD CONSTRAINT event_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON member, invitation, security_event, event TO namewright_app;

DO $$
DECLARE
  tenant text;
BEGIN
  FOREACH tenant IN ARRAY ARRAY['member', 'invitation', 'security_event', 'event'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY own ON %I USING (account_id = acting_account())', tenant);
  END LOOP;
END
$$;
-- A person sees in which accounts they are; that is also how a request proves that it may act as one.
CREATE POLICY mine ON member FOR SELECT USING (user_id = acting_user());
