-- Applications of strangers: those that nobody uses expire, and an account decides which of them may act for it.

-- When it last got a token or a consent, to the hour. Who registered itself and was never used goes after a day, who was
-- used goes 90 days after the last time (people/expired-rows.ts).
ALTER TABLE people.oauth_client ADD COLUMN used_at timestamptz;

UPDATE people.oauth_client c SET used_at = used.at
FROM (
  SELECT client_id, max(at) AS at FROM (
    SELECT client_id, created_at AS at FROM people.oauth_access_token
    UNION ALL SELECT client_id, created_at FROM people.oauth_refresh_token
    UNION ALL SELECT client_id, updated_at FROM people.oauth_consent
  ) AS every_use GROUP BY client_id
) AS used
WHERE used.client_id = c.client_id;

CREATE FUNCTION people.note_client_use() RETURNS trigger
  LANGUAGE plpgsql SET search_path = people, pg_temp
  AS $$
  BEGIN
    UPDATE people.oauth_client SET used_at = now()
    WHERE client_id = new.client_id AND (used_at IS NULL OR used_at < now() - interval '1 hour');
    RETURN NULL;
  END
  $$;
-- The pages of the web app get theirs from a session, all the time.
CREATE TRIGGER token_made AFTER INSERT ON people.oauth_access_token
  FOR EACH ROW WHEN (new.client_id <> 'namewright-web') EXECUTE FUNCTION people.note_client_use();
CREATE TRIGGER consent_given AFTER INSERT OR UPDATE ON people.oauth_consent
  FOR EACH ROW EXECUTE FUNCTION people.note_client_use();

-- `any`: every application that is not blocked. `listed`: those that are allowed by a rule, and the account's own.
ALTER TABLE account ADD COLUMN application_policy text NOT NULL DEFAULT 'any';
ALTER TABLE account ADD CONSTRAINT account_application_policy CHECK (application_policy IN ('any', 'listed')) NOT VALID;

CREATE TABLE application_rule (
  account_id uuid NOT NULL,
  client_id  text NOT NULL,
  -- As it was called when the rule was made: the application itself may be gone by now.
  name       text NOT NULL,
  decision   text NOT NULL CHECK (decision IN ('allowed', 'blocked')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, client_id),
  CONSTRAINT application_rule_account FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON application_rule TO namewright_app;
ALTER TABLE application_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE application_rule FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON application_rule USING (account_id = acting_account());
