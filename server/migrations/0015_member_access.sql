-- What somebody has set up for an account ends with their role in it, and the security log names the credential and the
-- application behind each entry.

-- The person who created it; null for one from before, which the security log knows, and once that person is deleted.
ALTER TABLE webhook ADD COLUMN created_by text;
ALTER TABLE webhook DROP CONSTRAINT webhook_off_reason_check;
ALTER TABLE webhook ADD CONSTRAINT webhook_off_reason_check
  CHECK (off_reason IN ('by_hand', 'failing', 'gone', 'creator_lost_access')) NOT VALID;

-- A key whose creator may no longer manage the account, until an admin has revoked or kept it.
CREATE TABLE key_review (
  account_id uuid NOT NULL,
  key_id     uuid NOT NULL,
  since      timestamptz NOT NULL,
  PRIMARY KEY (account_id, key_id),
  CONSTRAINT key_review_key FOREIGN KEY (account_id, key_id) REFERENCES api_key (account_id, id) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON key_review TO namewright_app;
ALTER TABLE key_review ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_review FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON key_review USING (account_id = acting_account());

-- `credential`: a kind of credential (model/permissions.ts), or `session`. `credential_id`: of the key, the grant or the
-- session, never a secret or its hash. `client_id`: of the application that came with a token.
ALTER TABLE security_event ADD COLUMN credential text;
ALTER TABLE security_event ADD COLUMN credential_id text;
ALTER TABLE security_event ADD COLUMN client_id text;

-- Of an application that an account registered: who did that, and why it is disabled where it is.
ALTER TABLE people.oauth_client ADD COLUMN created_by text;
ALTER TABLE people.oauth_client ADD COLUMN off_reason text;

-- Disables the applications that somebody registered for an account, in the transaction that ends their role, and takes their
-- access tokens, each of which tells the nodes (token_end). `known` are those from before `created_by`.
CREATE FUNCTION people.disable_clients(account uuid, creator text, known text[])
  RETURNS TABLE (client_id text, name text)
  LANGUAGE sql SECURITY DEFINER SET search_path = people, pg_temp
  AS $$
    WITH off AS (
      UPDATE people.oauth_client c SET disabled = true, off_reason = 'creator_lost_access', updated_at = now()
      WHERE c.reference_id = account::text AND account = public.acting_account() AND c.disabled IS NOT TRUE
        AND (c.created_by = creator OR c.created_by IS NULL AND c.client_id = ANY (known))
      RETURNING c.client_id, c.name),
    ended AS (DELETE FROM people.oauth_access_token t USING off WHERE t.client_id = off.client_id)
    SELECT off.client_id, off.name FROM off
  $$;
REVOKE EXECUTE ON FUNCTION people.disable_clients(uuid, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION people.disable_clients(uuid, text, text[]) TO namewright_app;
